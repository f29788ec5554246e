export { serveConsole } from './serve-console.ts';
export { type ConsoleSettings, readConsoleSettings } from './settings.ts';
