import { basename } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Directory, Group } from '../../model/directory.ts';
import type { Status } from '../../model/issue.ts';
import type { Tracker, TrackerEntry } from '../tracker.ts';
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

/** Collects the facts beside the issues that several entries, pages and files have. */
interface CollectBeside {
  /** The new part of it; null where nothing is new. */
  news(part: Partial<Directory>): Partial<Directory> | null;
  /** Adds these people to the group. */
  join(group: Group): void;
  /** Every group, with all its people. */
  groups(): readonly Group[];
}

/** Every page of an answer repeats its sprints and field names; the people of a group come in pages. */
function collectBeside(): CollectBeside {
  const seen = new Map<string, object>();
  const groups = new Map<string, { name: string; readonly members: Set<string> }>();
  const isNew = (kind: string, id: string, entry: object) => {
    const key = `${kind} ${id}`;
    const before = seen.get(key);
    if (before !== undefined && isSame(before, entry)) return false;
    seen.set(key, entry);
    return true;
  };
  return {
    news({ sprints = [], filters = [], fields = [], issueTypes = [], versions = [] }) {
      const part = {
        sprints: sprints.filter((one) => isNew('sprint', one.id, one)),
        filters: filters.filter((one) => isNew('filter', one.id, one)),
        fields: fields.filter((one) => isNew('field', one.id, one)),
        issueTypes: issueTypes.filter((one) => isNew('issue type', one.id, one)),
        versions: versions.filter((one) => isNew('version', one.id, one)),
      };
      return Object.values(part).some((list) => list.length > 0) ? part : null;
    },
    join({ id, name, members }) {
      const group = groups.get(id) ?? { name, members: new Set<string>() };
      groups.set(id, group);
      group.name = name;
      for (const member of members) group.members.add(member);
    },
    groups: () => [...groups].map(([id, { name, members }]) => ({ id, name, members: [...members] })),
  };
}

/** True if two entries of one list are the same; their members are no objects and come in the same order. */
function isSame(one: object, other: object): boolean {
  const members: unknown[] = Object.values(one);
  const others: unknown[] = Object.values(other);
  return members.length === others.length && members.every((member, i) => member === others[i]);
}
