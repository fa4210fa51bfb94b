// Pictures from PNG files.
#pragma once

#include "picture_similarity.h"

// An empty picture when the file cannot be read, after a sentence on stderr.
Picture readPicture(const char* file);
