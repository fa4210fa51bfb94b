#include <gtest/gtest.h>

extern "C" int sluTestC99(void);

TEST(C99, HostReachesAnOutput) { EXPECT_EQ(sluTestC99(), 0) << "the line of tests/api/c99.c that failed"; }
