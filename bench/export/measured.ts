import { statSync } from 'node:fs';

/** What one process found out about itself. */
export interface Measured {
  readonly ms: number;
  /** The most memory the process ever held, in MiB. */
  readonly peak: number;
  /** Size of the file in bytes. */
  readonly bytes: number;
}

/** Times the writing of a file and prints what came of it, for the process that started this one. */
export async function measured(path: string, write: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await write();
  const ms = performance.now() - start;
  const found: Measured = {
    ms,
    peak: process.resourceUsage().maxRSS / 1024,
    bytes: statSync(path).size,
  };
  console.log(JSON.stringify(found));
}
