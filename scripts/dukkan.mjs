#!/usr/bin/env node
// The `dukkan` command, from any folder.
import { runTarget } from './run-target.mjs';

process.exitCode = await runTarget('src/main.ts', process.argv.slice(2));
