import { afterAll } from 'vitest';
import { cleanUpFile } from './end-of-file.ts';

// Runs before each test file, also where files share a process.
afterAll(cleanUpFile);
