import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compiledProgram, quickProgram } from './compiled-program.ts';
import type { ExportMoment } from './export-moments.ts';
import type { FileKind } from './file-kinds.ts';

const program = fileURLToPath(new URL('export-process.ts', import.meta.url));

/** What a process that makes exports is told. */
interface ExportProcessParts {
  readonly dataDir: string;
  /** Where its clock stands (ms). */
  readonly now: number;
  /** How many exports there are to be; where one is missing, one of this kind is queued. */
  readonly wanted: number;
  readonly kind: FileKind | undefined;
  /** The moment in which it kills itself; left out: it goes on to its end. */
  readonly dieIn: ExportMoment | undefined;
}

/** A process that makes exports; `told` are the moments that have come so far. */
export interface ExportProcess {
  readonly process: ChildProcess;
  readonly told: () => readonly string[];
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: string | null;
    readonly err: string;
  }>;
}

export function startExportProcess(parts: ExportProcessParts): ExportProcess {
  const { dataDir, now, wanted, kind, dieIn } = parts;
  const args = [dataDir, String(wanted), String(now), kind?.name ?? '', dieIn ?? ''];
  const child = spawn(process.execPath, [...quickProgram, program, ...args], {
    env: compiledProgram,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  return {
    process: child,
    told: () => out.split('\n').slice(0, -1),
    ended: once(child, 'close').then(([code, signal]) => ({ code, signal, err })),
  };
}
