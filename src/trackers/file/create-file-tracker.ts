import { basename } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Status } from '../../model/issue.ts';
import type { Tracker, TrackerEntry } from '../tracker.ts';
import { collectBeside } from './collect-beside.ts';
import { type FileProgress, fileProblem } from './read-bytes.ts';
import { type FileEntry, readElement } from './read-entry.ts';
import { type ScannedFile, scanFiles } from './scan-file.ts';

/**
 * Issues from files with Jira's REST search results or single issues (`expand=changelog`), Cloud or Data Center, plain or
 * gzipped, one after another, and statuses from files with Jira's list of statuses, which bears the file's name. Jira's lists of people, groups,
 * saved filters, fields and sprints are known by what their entries look like; groups are told when all files have
 * been read, for their people may come from several. A file is read as a stream; an entry that cannot be used is
 * told as rejected, a file that cannot be read to its end as unreadable. `thread` was started for these files.
 */
export function createFileTracker(
  files: readonly string[],
  onProgress: (progress: FileProgress) => void = () => {},
  thread: Worker | null = null,
): Tracker {
  return {
    name: 'file',
    async *entries() {
      const beside = collectBeside();
      const guessed = new Set<string>();
      /** The news of an entry; null where there is none, or where more may come. */
      const newsOf = (entry: FileEntry): TrackerEntry | null => {
        if (entry.kind === 'group') beside.join(entry.group);
        else if (entry.kind === 'directory') {
          const part = beside.news(entry.part);
          return part === null ? null : { kind: 'directory', part };
        } else if (entry.kind === 'guess') {
          return guessed.size < guessed.add(entry.field.id).size ? entry : null;
        } else return entry;
        return null;
      };
      for await (const scanned of scanFiles(files, onProgress, thread)) {
        for await (const entries of readFile(scanned)) {
          for (const entry of entries) {
            const news = newsOf(entry);
            if (news !== null) yield news;
          }
        }
      }
      const groups = beside.groups();
      if (groups.length > 0) yield { kind: 'directory', part: { groups } };
    },
  };
}

/** The entries of a file, element by element. */
async function* readFile({ file, batches, standIns }: ScannedFile): AsyncGenerator<readonly FileEntry[]> {
  const source = { file, standIns };
  const statuses: Status[] = [];
  /** The reasons why parts of it are no issues, each once. */
  const problems = new Set<string>();
  let list: string | null = basename(file).replace(/(?<=.)\.gz$/i, '');
  try {
    for await (const { elements, learnt } of batches) {
      standIns.learn(learnt);
      for (const element of elements) {
        const entries = readElement(element, source).filter(
          (entry) => entry.kind !== 'unreadable' || problems.size < problems.add(entry.reason).size,
        );
        for (const entry of entries) {
          if (entry.kind === 'rejected' || entry.kind === 'unreadable') list = null;
          // A list of statuses is one only once the file has ended and none of it was rejected.
          if (isListed(entry)) statuses.push(...entry.statuses);
        }
        yield statuses.length === 0 ? entries : entries.filter((entry) => !isListed(entry));
      }
    }
    if (statuses.length > 0) yield [{ kind: 'statuses', statuses, list }];
  } catch (error) {
    yield unreadable(error, file);
  }
}

function isListed(entry: FileEntry): entry is Extract<FileEntry, { kind: 'statuses' }> {
  return entry.kind === 'statuses' && entry.list !== null;
}

function unreadable(error: unknown, source: string): TrackerEntry[] {
  const reason = fileProblem(error);
  if (reason === null) throw error;
  return [{ kind: 'unreadable', source, reason }];
}
