# sluice_pack(RESULT FILE): the bytes of the file in the gzip format, as the elements of a C array.
function(sluice_pack result file)
  file(ARCHIVE_CREATE OUTPUT ${file}.gz PATHS ${file} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
  file(READ ${file}.gz packed HEX)
  # The header has the time in it (RFC 1952, section 2.3). It is cleared, so that the same file makes the same library.
  if(NOT packed MATCHES "^1f8b0800")
    message(FATAL_ERROR "${file}.gz has a header of another form, so its time cannot be cleared.")
  endif()
  string(REGEX REPLACE "^(1f8b0800)........" "\\100000000" packed ${packed})
  string(REGEX REPLACE "(..)" "0x\\1," packed ${packed})
  string(REGEX REPLACE "(................................................................................)" "\\1\n" packed
    ${packed})
  set(${result} ${packed} PARENT_SCOPE)
endfunction()
