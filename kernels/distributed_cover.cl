// distributed_cover.cl: which positions are samples: a difference cover of period 31. Package distributed has the
// same set (cover.go).

#define COVER_PERIOD 31
#define COVER_CLASSES 6

// By residue: the number of samples with a lower one.
__constant uchar cover_class[COVER_PERIOD] = {
    0, 1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6};

// Bit x is set if residue x is one of samples.
#define COVER_SET 0x4110bu

// By the difference of two positions: a residue of samples which, that much further, is one again.
__constant uchar cover_common[COVER_PERIOD] = {
    0, 0, 1, 0, 8, 3, 12, 1, 0, 3, 8, 1, 0, 18, 18, 3, 18, 1, 0, 12, 12, 18, 12, 8, 8, 18, 8, 12, 3, 3, 1};

// The number of a sample among those of a text.
#define COVER_NUMBER(x) ((x) / COVER_PERIOD * COVER_CLASSES + cover_class[(x) % COVER_PERIOD])
