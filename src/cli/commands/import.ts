import type { FileProgress, FillSummary } from '../../api/tracker/import-files.ts';
import { badRequestAs } from '../../model/error.ts';
import { type CliParts, createCommand, type JsonOutput, printable } from '../cli-command.ts';

/** More keys of a reason, or names that are not known, are only counted. */
const MAX_SHOWN = 10;

/** The parts of an import: the store behind it, and its output. */
export type ImportParts = Pick<CliParts, 'importFiles' | 'out' | 'progress'>;

/** Takes files with Jira's search results into the store and prints what came of it. */
export const importCommand = createCommand({
  name: 'import',
  usage: 'import FILE…',
  summary: 'import issues and lists that were exported from Jira',
  details: 'The exit code is 1 if anything was rejected or unreadable.',
  words: {
    '[FILE...]':
      'search results or single issues (expand=changelog,names), as JSON or JSON lines, or lists of statuses, fields, users, groups and filters; plain or gzip',
  },
  options: {
    '--json':
      'print JSON: { issues, changes, unchanged, cutHistories: [{ key, reason }], statuses, clashes: [{ id, name, elsewhere }], unlisted: [{ id, name }], unmatched: [title], sprints, filters, groups, fields, rejected: [{ source, key, reason }], unreadable: [{ source, reason }] }',
  },
  examples: ['import issues.json.gz statuses.json'],
  async run({ words: files }, parts: ImportParts & JsonOutput) {
    if (files.length === 0)
      throw badRequestAs(
        'missing-value',
        'import needs at least one FILE, for example: import issues.json.gz.',
      );
    const summary = await parts
      .importFiles(files, (progress) => parts.progress(progressLine(progress)))
      .finally(() => parts.progress(''));
    const { cut, rejected, unreadable, ...counts } = summary;
    parts.json({
      ...counts,
      cutHistories: [...cut].map(([key, reason]) => ({ key, reason })),
      rejected: rejected.map(({ source, key, reason }) => ({ source, key, reason })),
      unreadable: unreadable.map(({ source, reason }) => ({ source, reason })),
    });
    printSummary(summary, parts);
    return summary.rejected.length + summary.unreadable.length > 0 ? 1 : 0;
  },
});

/** A pipe has no size of which a share could be shown. */
function progressLine({ file, bytes, size }: FileProgress): string {
  if (size === 0) return `${file}: ${megabytes(bytes)}`;
  return `${file}: ${Math.floor((bytes / size) * 100)}% of ${megabytes(size)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function printSummary(summary: FillSummary, { out }: ImportParts): void {
  const { issues, changes, unchanged, cut, statuses, clashes, unlisted, unmatched, rejected, unreadable } =
    summary;
  out(`Issues           ${issues}`);
  out(`Changes          ${changes}`);
  out(`Cut histories    ${cut.size}`);
  for (const [reason, entries] of Map.groupBy(cut, ([, reason]) => reason)) {
    out(`  ${reason}: ${shownOf(entries.map(([key]) => key))}`);
  }
  if (statuses > 0) out(`Statuses         ${statuses}`);
  if (clashes.length > 0) out(printable(clashLine(clashes)));
  if (unlisted.length > 0) out(printable(unlistedLine(unlisted)));
  const { sprints, filters, groups, fields } = summary;
  const beside = { Sprints: sprints, 'Saved filters': filters, Groups: groups, 'Field names': fields };
  for (const [what, count] of Object.entries(beside)) {
    if (count > 0) out(`${what.padEnd(16)} ${count}`);
  }
  if (unmatched.length > 0) out(printable(unmatchedLine(unmatched)));
  if (unchanged > 0) out(`Unchanged        ${unchanged}`);
  out(`Rejected entries ${rejected.length}`);
  for (const { source, key, reason } of rejected) {
    out(printable(`  ${source}  ${key ?? '(no key)'}  ${reason}`));
  }
  if (unreadable.length > 0) out(`Unreadable files ${unreadable.length}`);
  for (const { source, reason } of unreadable) out(printable(`  ${source}  ${reason}`));
}

/** A status that no list has was deleted, or the list is older than the status. */
function unlistedLine(unlisted: FillSummary['unlisted']): string {
  const names = shownOf([...new Set(unlisted.map(({ name }) => name))]);
  return `  in no list: ${names}; if they still exist in Jira, export its list of statuses again`;
}

/** Data Center's changelogs have the title of a custom field alone: without a list of titles its history is not under its id. */
function unmatchedLine(titles: FillSummary['unmatched']): string {
  return `  histories of unknown fields: ${shownOf(titles)}; export the issues again with expand=changelog,names, or import Jira's list of fields (GET /rest/api/2/field)`;
}

function shownOf(names: readonly string[]): string {
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
  return names.slice(0, MAX_SHOWN).join(', ') + more;
}

/** Ids are a site's own, so two sites in one store give each other's statuses their names. */
function clashLine(clashes: FillSummary['clashes']): string {
  const names = clashes.map(
    ({ id, name, elsewhere }) => `${id} is '${name}' here and '${elsewhere}' elsewhere`,
  );
  return `  ${names.join(', ')}: keep one DATA_DIR or DATABASE_URL per Jira site`;
}
