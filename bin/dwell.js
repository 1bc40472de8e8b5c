#!/usr/bin/env node
// Plain JavaScript, for any Node may start it: the program itself needs Node 24, which comes as a package.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { failWithoutNode, isNew, packagedNode, root } from './needed-node.js';

function run(node) {
  const args = ['--max-semi-space-size=16', join(root, 'src/main.ts'), 'dwell', ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => {
      // A terminal sends Ctrl+C to both.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`${node} cannot be started: ${error.message}.`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const node = isNew ? process.execPath : packagedNode();
if (node === null) failWithoutNode();
else run(node);
