import {
  type SettableCategory,
  type StatusSetting,
  settableCategories,
} from '../../api/settings/status-categories.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Status } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { Principal } from '../../model/request.ts';
import { createCommand, isoTime, printable } from '../cli-command.ts';

/** Lists the statuses with where their categories come from, or sets the category of one that the tracker gives none. */
export const statuses = createCommand({
  name: 'statuses',
  usage: 'statuses [--set STATUS --to CATEGORY | --unset STATUS]',
  summary: 'list the statuses and their categories, or set the category of one',
  details:
    'A status that was deleted in Jira has no category there. Dwell then assumes that of a status of the same name, or what the statuses before and after it imply. What you set counts from the next question on, and only while Jira gives no category.',
  options: {
    '--set STATUS': 'set the category of a status, by its id or name',
    '--to CATEGORY': 'with --set: "To Do", "In Progress" or Done',
    '--unset STATUS': 'take back what was set',
    '--json':
      'print JSON: an array of { id, name, category, source, deleted, setBy, setAt }; source is tracker, admin, same name, neighbors or unknown',
  },
  examples: ['statuses', 'statuses --set Released --to Done', 'statuses --unset Released'],
  async run(typed, { statusCategories, tenant, out, json }) {
    const [set, to, unset] = [typed.value('set'), typed.value('to'), typed.value('unset')];
    if (unset !== undefined && (set !== undefined || to !== undefined)) {
      throw badRequestAs('conflicting-values', '--unset goes with no other option.');
    }
    if ((set === undefined) !== (to === undefined)) {
      throw badRequest(`--set and --to go together. Try: ${statuses.usage}.`);
    }
    const principal: Principal = { tenant, account: 'command line', rights: 'admin' };
    if (set !== undefined) await statusCategories.put(principal, set, readCategory(to ?? ''));
    if (unset !== undefined) await statusCategories.put(principal, unset, null);
    const all = await statusCategories.list(principal);
    json(
      all.map(({ status, set: own }) => ({
        id: status.id,
        name: status.name,
        category: status.category,
        source: sourceOf(status),
        deleted: status.deleted,
        setBy: own?.by ?? null,
        setAt: own === null ? null : isoTime(own.at),
      })),
    );
    if (all.length === 0) out('No statuses yet.');
    const width = Math.max(...all.map(({ status }) => status.name.length), 0);
    for (const setting of all) out(printable(lineOf(setting, width)));
    return 0;
  },
});

function readCategory(text: string): SettableCategory {
  const found = settableCategories.find((category) => foldedName(category) === foldedName(text));
  if (found !== undefined) return found;
  throw badRequest(`--to '${text}' is not a category. Try: ${settableCategories.join(', ')}.`);
}

function sourceOf({ category, categorySource }: Status): string {
  return categorySource ?? (category === 'Undefined' ? 'unknown' : 'tracker');
}

/** Such as `901  QA    In Progress (assumed: neighbors), deleted`. */
function lineOf({ status, set }: StatusSetting, width: number): string {
  const sources: Readonly<Record<string, string>> = {
    admin: set === null ? ' (set by an admin)' : ` (set by ${set.by}, ${isoTime(set.at)})`,
    'same name': ' (assumed: a status of the same name)',
    neighbors: ' (assumed: the statuses before and after it)',
  };
  const category =
    status.category === 'Undefined' ? 'no category' : `${status.category}${sources[sourceOf(status)] ?? ''}`;
  return `${status.id}  ${status.name.padEnd(width)}  ${category}${status.deleted ? ', deleted' : ''}`;
}
