#!/usr/bin/env node
// Plain JavaScript, for any Node may start it: the program itself needs Node 24, which comes as a package.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WANTED = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** This Node where it is new enough, else the one in node_modules; null where that is missing. */
function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= WANTED) return process.execPath;
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const node = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(node) ? node : null;
  } catch {
    return null;
  }
}

function run(node) {
  const args = ['--max-semi-space-size=16', join(root, 'src/main.ts'), 'dwell', ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => {
      // A terminal sends Ctrl+C to both.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}.`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}

const node = findNode();
if (node === null)
  fail(
    `Dwell needs Node ${WANTED}, and this is ${process.version}. Try: npm install in ${root}, which brings it.`,
  );
else run(node);
