#!/usr/bin/env python3
"""Writes the oldest Vulkan headers that Sluice is to compile with: make_oldest.py VERSION FOLDER

Debian has one release of them. Khronos's generator, which comes with them (libvulkan-dev), makes others: here a
vulkan_core.h with Vulkan 1.2 and the extensions that the library uses, and with nothing that came later."""
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree

REGISTRY = pathlib.Path("/usr/share/vulkan/registry")
INSTALLED = pathlib.Path("/usr/include/vulkan")
EXTENSIONS = ("VK_KHR_external_memory_fd", "VK_KHR_external_semaphore_fd", "VK_EXT_debug_utils",
              "VK_AMD_device_coherent_memory", "VK_KHR_push_descriptor", "VK_KHR_shader_float_controls",
              "VK_NV_shader_sm_builtins", "VK_NVX_binary_import",
              "VK_KHR_draw_indirect_count", "VK_KHR_sampler_mirror_clamp_to_edge", "VK_EXT_descriptor_indexing",
              "VK_EXT_sampler_filter_minmax", "VK_EXT_shader_viewport_index_layer", "VK_EXT_buffer_device_address")
VERSIONS = "^VK_VERSION_1_[012]$"

if not (REGISTRY / "vk.xml").exists():
    sys.exit(f"skipped: no registry of Vulkan in {REGISTRY}")
sys.dont_write_bytecode = True
sys.path.insert(0, str(REGISTRY))
from cgenerator import CGeneratorOptions, COutputGenerator  # noqa: E402
from reg import Registry  # noqa: E402
from vkconventions import VulkanConventions  # noqa: E402

version, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "vulkan"
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
extensions = f"^({'|'.join(EXTENSIONS)})$"
options = CGeneratorOptions(
    conventions=VulkanConventions(), filename="vulkan_core.h", directory=str(folder), apiname="vulkan",
    versions=VERSIONS, emitversions=VERSIONS, addExtensions=extensions, removeExtensions="^$",
    emitExtensions=extensions, prefixText=['#include "vk_platform.h"', ""], protectFeature=False,
    protectProto="#ifndef", protectProtoStr="VK_NO_PROTOTYPES", apicall="VKAPI_ATTR ", apientry="VKAPI_CALL ",
    apientryp="VKAPI_PTR *", alignFuncParam=48)
registry = Registry(COutputGenerator(diagFile=None), options)
registry.loadElementTree(xml.etree.ElementTree.parse(REGISTRY / "vk.xml"))
registry.apiGen()

core = folder / "vulkan_core.h"
text = core.read_text()
major, minor, patch = version.split(".")
text, count = re.subn(r"(#define VK_HEADER_VERSION )\d+", rf"\g<1>{patch}", text)
text, again = re.subn(r"\(0, \d+, \d+, VK_HEADER_VERSION\)", f"(0, {major}, {minor}, VK_HEADER_VERSION)", text)
if count != 1 or again != 1 or "VK_VERSION_1_3" in text or "FEATURES_1_3" in text:
    sys.exit("the generator wrote another header than this script expects")
core.write_text(text)
for name in ("vulkan.h", "vk_platform.h"):
    shutil.copy(INSTALLED / name, folder)
