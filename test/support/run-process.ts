import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compiledProgram, quickProgram } from './compiled-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** How a process ended and what it had written; one of `code` and `signal` is null. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningProcess {
  readonly process: ChildProcess;
  /** What it has written to its standard output so far. */
  readonly out: () => string;
  readonly ended: Promise<ProcessEnd>;
}

/** A Node with these arguments in a process and a folder of its own, with `input` on its standard input. */
export function runProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
): RunningProcess {
  const child = spawn(process.execPath, args, {
    cwd: temporaryFolder(),
    env: { ...compiledProgram, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A process that ends without reading its input breaks the pipe.
  child.stdin.on('error', () => {}).end(input);
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, out, err }));
  return { process: child, out: () => out, ended };
}

/** A program of this folder in a process of its own. */
export function runSupportProcess(name: string, ...args: readonly string[]): RunningProcess {
  return runProcess([...quickProgram, fileURLToPath(new URL(name, import.meta.url)), ...args]);
}
