import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliOutput } from '../../src/cli/cli-command.ts';
import type { DoctorSurroundings } from '../../src/compose/doctor/doctor-context.ts';
import { runDoctor } from '../../src/compose/doctor/run-doctor.ts';
import { storeEngine } from './store-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What `npx dwell doctor` has printed, and its exit code. */
export interface Examined {
  readonly text: string;
  readonly code: number;
  /** The lines of a check, without its name; a line that goes on is part of the one before. */
  of(check: string): readonly string[];
}

/** Types `doctor` in a folder of data, with these settings. Nothing waits between two tries of a service. */
export async function examine(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  { args = [], ...parts }: Partial<DoctorSurroundings> & { readonly args?: readonly string[] } = {},
): Promise<Examined> {
  const lines: string[] = [];
  const output: CliOutput = { out: (line) => void lines.push(line), err: () => {}, progress: () => {} };
  const code = await runDoctor(['doctor', ...args], {
    ...output,
    // No port is asked whether something answers there, unless a test names it.
    environment: {
      PORT: '0',
      TIME_ZONE: 'UTC',
      DATA_DIR: dataDir,
      ...storeEngine.environment(dataDir),
      ...environment,
    },
    now: Date.now,
    node: { version: process.versions.node, file: process.execPath },
    dotEnv: { folder: temporaryFolder(), failure: null },
    slackApiUrl: 'http://127.0.0.1:2/',
    maxCheckMs: 60_000,
    wait: async () => {},
    ...parts,
  });
  const text = lines.join('\n');
  const findings = text.replaceAll(/\n {15}/g, ' ').split('\n');
  const start = (check: string) => new RegExp(`^([✓–!✗]) ${check} +(?=\\S)`);
  return {
    text,
    code,
    of: (check) =>
      findings.filter((line) => start(check).test(line)).map((line) => line.replace(start(check), '$1 ')),
  };
}

/** A folder with an empty store of this version. */
export async function folderWithStore(): Promise<string> {
  const folder = temporaryFolder();
  await storeEngine.make(folder);
  return folder;
}

/** All files of a folder, by their path and contents. */
export function contentsOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file, createHash('sha256').update(readFileSync(file)).digest('hex')];
    }),
  );
}
