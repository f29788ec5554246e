export class MigrationError extends Error {}

/** Stopped by a signal. The next run goes on from there. */
export class MigrationInterrupted extends MigrationError {}
