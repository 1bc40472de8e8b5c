import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { Tracker, TrackerEntry } from '../tracker.ts';
import { jiraStatus } from './jira-schema.ts';
import { BrokenJson, type JsonElement, jsonElements } from './json-elements.ts';
import { readIssue } from './read-issue.ts';
import { readStatus } from './read-status.ts';

/** How far a file has been read, in bytes of the file as it lies on disk. */
export interface FileProgress {
  readonly file: string;
  readonly bytes: number;
  readonly size: number;
}

/**
 * Issues from files with Jira's REST search results (`expand=changelog`), Cloud or Data Center, plain or gzipped,
 * and statuses from files with Jira's list of statuses. A file is read as a stream; an entry that cannot be used
 * is told as rejected, and so is a file that cannot be read to its end.
 */
export function createFileTracker(
  files: readonly string[],
  onProgress: (progress: FileProgress) => void = () => {},
): Tracker {
  return {
    name: 'file',
    async *entries() {
      for (const file of files) yield* readFile(file, onProgress);
    },
  };
}

async function* readFile(
  file: string,
  onProgress: (progress: FileProgress) => void,
): AsyncGenerator<TrackerEntry> {
  const source = file;
  const statuses: TrackerEntry[] = [];
  let told = 0;
  try {
    for await (const element of jsonElements(await bytesOf(file, onProgress))) {
      told += 1;
      const entries = readElement(element, source);
      for (const entry of entries) {
        // A list of statuses is whole only once the file has ended.
        if (entry.kind === 'statuses' && entry.whole) statuses.push(entry);
        else yield entry;
      }
    }
    const list = statuses.flatMap((entry) => (entry.kind === 'statuses' ? entry.statuses : []));
    if (list.length > 0) yield { kind: 'statuses', statuses: list, whole: true };
    if (told === 0) yield { kind: 'rejected', source, key: null, reason: 'the file holds no list of issues' };
  } catch (error) {
    const reason = fileProblem(error);
    if (reason === null) throw error;
    yield { kind: 'rejected', source, key: null, reason };
  }
}

function readElement({ text, offset }: JsonElement, source: string): TrackerEntry[] {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      { kind: 'rejected', source, key: null, reason: `the entry at byte ${offset} is broken JSON: ${why}` },
    ];
  }
  const status = isIssue(raw) ? null : jiraStatus.safeParse(raw);
  if (status?.success) return [{ kind: 'statuses', statuses: [readStatus(status.data)], whole: true }];
  const read = readIssue(raw);
  if ('reason' in read) {
    const reason = read.key === null ? `the entry at byte ${offset}: ${read.reason}` : read.reason;
    return [{ kind: 'rejected', source, key: read.key, reason }];
  }
  return [
    { kind: 'statuses', statuses: read.statuses, whole: false },
    { kind: 'users', users: read.users },
    { kind: 'issue', issue: read.issue },
  ];
}

function isIssue(raw: unknown): boolean {
  return raw !== null && typeof raw === 'object' && ('fields' in raw || 'key' in raw);
}

async function bytesOf(
  file: string,
  onProgress: (progress: FileProgress) => void,
): Promise<AsyncIterable<Uint8Array>> {
  const { size } = await stat(file);
  const gzipped = await startsLikeGzip(file);
  const raw = createReadStream(file, { highWaterMark: 1 << 20 });
  let bytes = 0;
  raw.on('data', (chunk) => {
    bytes += chunk.length;
    onProgress({ file: basename(file), bytes, size });
  });
  if (!gzipped) return raw;
  const plain = createGunzip();
  raw.on('error', (error) => plain.destroy(error));
  return raw.pipe(plain);
}

async function startsLikeGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

/** What is wrong with the file in one sentence; null when the failure is not the file's. */
function fileProblem(error: unknown): string | null {
  if (error instanceof BrokenJson) return error.message;
  if (!(error instanceof Error) || !('code' in error)) return null;
  switch (error.code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
      return 'the file may not be read';
    case 'EISDIR':
      return 'this is a folder, not a file';
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return `the file is damaged gzip: ${error.message}`;
    default:
      return null;
  }
}
