// Plain JavaScript, for any Node may load it: the program itself needs Node 24, which comes as a package.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { failWithoutNode, isNew, packagedNode, root } from './needed-node.js';

/**
 * What the C library of Linux reads when a process starts, and other systems do not look at: arrays from this size on go
 * back to the system when they are let go; by itself it keeps larger ones, in pieces, and for each thread apart.
 */
const environment = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '1' };

/** Runs the program with options of Node, in this process where that can become another one, else in one of its own. */
export function runProgram(options, args) {
  const node = isNew ? process.execPath : packagedNode();
  if (node === null) {
    failWithoutNode();
    return;
  }
  // Memory is tidied while nothing is asked. What V8 compiled is only found again with the same options.
  const all = [...process.execArgv, ...options, '--expose-gc', join(root, 'src/main.ts'), ...args];
  const env = { ...environment, ...process.env };
  if (canBecome()) process.execve(node, [node, ...all], env);
  else spawnProgram(node, all, env);
}

/** Node has the function on Windows as well, where it fails. A channel to the process that started this one would be lost. */
function canBecome() {
  return process.execve !== undefined && process.platform !== 'win32' && process.channel === undefined;
}

function spawnProgram(node, args, env) {
  const child = spawn(node, args, { stdio: 'inherit', env });
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
