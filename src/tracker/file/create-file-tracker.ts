import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Status } from '../../model/issue.ts';
import type { Tracker, TrackerEntry } from '../tracker.ts';
import { BrokenJson } from './broken-json.ts';
import { jiraStatus } from './jira-schema.ts';
import { jsonElements } from './json-elements.ts';
import type { JsonElement } from './kept-element.ts';
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
 * and statuses from files with Jira's list of statuses, which bears the file's name. A file is read as a stream; an
 * entry that cannot be used is told as rejected, a file that cannot be read to its end as unreadable.
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
  const statuses: Status[] = [];
  let list: string | null = basename(file).replace(/(?<=.)\.gz$/i, '');
  try {
    for await (const element of jsonElements(readBytes(file, onProgress))) {
      for (const entry of readElement(element, source)) {
        if (entry.kind === 'rejected') list = null;
        // A list of statuses is one only once the file has ended and none of it was rejected.
        if (entry.kind === 'statuses' && entry.list !== null) statuses.push(...entry.statuses);
        else yield entry;
      }
    }
    if (statuses.length > 0) yield { kind: 'statuses', statuses, list };
  } catch (error) {
    const reason = fileProblem(error);
    if (reason === null) throw error;
    yield { kind: 'unreadable', source, reason };
  }
}

function readElement({ text, offset }: JsonElement, source: string): TrackerEntry[] {
  try {
    return readEntry(JSON.parse(text), `the entry at byte ${offset}`, source);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const reason = `the entry at byte ${offset} is broken JSON: ${error.message}`;
    return [{ kind: 'rejected', source, key: null, reason }];
  }
}

function readEntry(raw: unknown, place: string, source: string): TrackerEntry[] {
  if (isPage(raw)) return raw.issues.flatMap((one) => readEntry(one, place, source));
  const status = isIssue(raw) ? null : jiraStatus.safeParse(raw);
  if (status?.success) return [{ kind: 'statuses', statuses: [readStatus(status.data)], list: source }];
  const read = readIssue(raw);
  if ('reason' in read) {
    const reason = read.key === null ? `${place} is no issue: ${read.reason}` : read.reason;
    return [{ kind: 'rejected', source, key: read.key, reason }];
  }
  return [
    { kind: 'statuses', statuses: read.statuses, list: null },
    { kind: 'users', users: read.users },
    { kind: 'issue', issue: read.issue },
  ];
}

/** A list of whole search answers, as `jq --slurp` makes it of several. */
function isPage(raw: unknown): raw is { readonly issues: readonly unknown[] } {
  return raw !== null && typeof raw === 'object' && 'issues' in raw && Array.isArray(raw.issues);
}

function isIssue(raw: unknown): boolean {
  return raw !== null && typeof raw === 'object' && ('fields' in raw || 'key' in raw);
}

async function* readBytes(
  file: string,
  onProgress: (progress: FileProgress) => void,
): AsyncGenerator<Uint8Array> {
  const { size } = await stat(file);
  const raw = createReadStream(file, { highWaterMark: 1 << 20 });
  const plain = (await startsLikeGzip(raw)) ? pipeline(raw, createGunzip(), () => {}) : raw;
  for await (const chunk of plain) {
    yield chunk;
    onProgress({ file: basename(file), bytes: raw.bytesRead, size });
  }
}

/** Looked up in the stream itself, for a pipe cannot be opened twice. */
async function startsLikeGzip(raw: ReadStream): Promise<boolean> {
  await once(raw, 'readable');
  const start: Buffer | null = raw.read(2);
  if (start === null) return false;
  raw.unshift(start);
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** What is wrong with the file in one sentence; null when the failure is not the file's. */
function fileProblem(error: unknown): string | null {
  if (error instanceof BrokenJson) return error.message;
  if (!isSystemError(error)) return null;
  switch (error.code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
      return 'the file may not be read';
    case 'EISDIR':
      return 'this is a folder, not a file';
    default:
      return error.code.startsWith('Z_')
        ? `the file is damaged gzip: ${error.message}`
        : `the file cannot be read: ${error.message}`;
  }
}

/** What the operating system or zlib reports; anything else is a bug. */
function isSystemError(error: unknown): error is { readonly code: string; readonly message: string } {
  return (
    error !== null &&
    typeof error === 'object' &&
    'errno' in error &&
    'code' in error &&
    typeof error.code === 'string'
  );
}
