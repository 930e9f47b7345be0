// The sizes of files on the wire.

/** Maximum number of bytes that `files:read` returns. */
export const FILE_READ_LIMIT = 1_048_576
/** Maximum number of bytes that `files:upload` takes and `files:download` returns. */
export const FILE_TRANSFER_LIMIT = 8_388_608
