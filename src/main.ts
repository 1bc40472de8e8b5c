import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { keepCompiledCode, resolveQuickly } from './compose/quick-imports.ts';

// A file named `.env` in the working folder overrides nothing that is set already.
if (existsSync('.env')) loadEnvFile('.env');
const args = process.argv.slice(2);
const isImport = args[0] === 'dwell' && args[1] === 'import';
const compiled = keepCompiledCode(resolve(process.env.DATA_DIR?.trim() || './data'), isImport);
// Threads look there too: without it each takes 60 ms and 20 MB more to strip types.
if (compiled !== null) process.env.NODE_COMPILE_CACHE ||= compiled;
resolveQuickly();

// Only what is imported from here on is kept, and resolved quickly.
const { runApp } = await import('./compose/app.ts');
await runApp(args, { environment: process.env, now: Date.now });
