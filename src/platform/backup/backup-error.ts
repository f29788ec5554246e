/** A backup or a restore that cannot be done. The operator sees its message as one line. */
export class BackupError extends Error {}
