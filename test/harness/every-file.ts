import fc from 'fast-check';
import { afterAll } from 'vitest';
import { cleanUpFile } from './end-of-file.ts';

// Runs before each test file, also where files share a process.
afterAll(cleanUpFile);

// The same cases in every run: a test that fails now and then tells nobody what he has broken. Another seed tries others.
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_115) });
