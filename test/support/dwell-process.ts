import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compiledProgram } from './compiled-program.ts';
import { storeEngine } from './store-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** What a finished command line left behind; `code` is null when it was killed. */
interface Finished {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** A folder for such processes, whose database is made where it has one elsewhere. */
export async function folderOfProcesses(): Promise<string> {
  const dataDir = temporaryFolder();
  await storeEngine.make(dataDir);
  return dataDir;
}

/** A command line of its own process, as a shell would start it: `node src/main.ts dwell …`. */
export function dwellProcess(dataDir: string, ...args: string[]): DwellProcess {
  return dwellProcessReading('', dataDir, ...args);
}

interface DwellProcess {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
}

/** The same with something on its standard input. */
export function dwellProcessReading(input: string, dataDir: string, ...args: string[]): DwellProcess {
  const child = spawn(process.execPath, [main, 'dwell', ...args], {
    cwd: temporaryFolder(),
    env: {
      ...compiledProgram,
      ...storeEngine.environment(dataDir),
      DATA_DIR: dataDir,
      TIME_ZONE: 'UTC',
      LOG_LEVEL: 'silent',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // One that ends without having read it is none of ours.
  child.stdin.on('error', () => {}).end(input);
  const read = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    read.out += text;
  });
  child.stderr.on('data', (text) => {
    read.err += text;
  });
  const finished = once(child, 'close').then(([code]) => ({ ...read, code }));
  return { process: child, finished };
}
