/** The accepted file types; the service checks the content. */
export const FILES_TAKEN = 'application/pdf,image/jpeg,image/png,image/webp,image/gif';
export const FILE_LIMIT_BYTES = 10 * 1024 * 1024;
