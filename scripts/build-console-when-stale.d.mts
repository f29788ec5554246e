export function buildConsoleWhenStale(): Promise<boolean>;
