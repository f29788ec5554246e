export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // A bare offset such as +03:00 is a zone to JavaScript but not to PostgreSQL, where its sign is the other way round.
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}
