import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { keepCompiledCode, resolveQuickly } from './compose/quick-imports.ts';

// A file named `.env` in the working folder overrides nothing that is set already.
let dotEnvFailure: unknown = null;
try {
  if (existsSync('.env')) loadEnvFile('.env');
} catch (error) {
  // Commands that need settings fail with it.
  dotEnvFailure = error;
}
const args = process.argv.slice(2);
const isOnce = args[0] === 'dwell' && ['import', 'doctor'].includes(args[1] ?? '');
const compiled = keepCompiledCode(resolve(process.env.DATA_DIR?.trim() || './data'), isOnce);
// Threads look there too: without it each takes 60 ms and 20 MB more to strip types.
if (compiled !== null) process.env.NODE_COMPILE_CACHE ||= compiled;
resolveQuickly();

// Only what is imported from here on is kept, and resolved quickly.
const { runApp } = await import('./compose/app.ts');
await runApp(args, { environment: process.env, now: Date.now, dotEnvFailure });
