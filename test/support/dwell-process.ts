import { fileURLToPath } from 'node:url';
import { type RunningProcess, runProcess } from './run-process.ts';
import { storeEngine } from './store-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A folder for such processes, whose database is made where it has one elsewhere. */
export async function folderOfProcesses(): Promise<string> {
  const dataDir = temporaryFolder();
  await storeEngine.make(dataDir);
  return dataDir;
}

/** A command line of its own process, as a shell would start it: `node src/main.ts dwell …`. */
export function dwellProcess(dataDir: string, ...args: string[]): RunningProcess {
  return dwellProcessReading('', dataDir, ...args);
}

/** The same with something on its standard input. */
export function dwellProcessReading(input: string, dataDir: string, ...args: string[]): RunningProcess {
  return runProcess(
    [main, 'dwell', ...args],
    { ...storeEngine.environment(dataDir), DATA_DIR: dataDir, TIME_ZONE: 'UTC', LOG_LEVEL: 'silent' },
    input,
  );
}
