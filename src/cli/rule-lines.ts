import { projectKeyOf } from '../model/access.ts';
import type { AccessRule } from '../model/directory.ts';
import { unreadRolesText } from '../model/unread-roles-text.ts';
import type { Rights } from './command.ts';
import { printable } from './printable.ts';
import { viewerName } from './viewer-name.ts';

/** Every rule on a line, with what the imports know of whom and what it names. */
export async function ruleLines(rights: Rights): Promise<string[]> {
  const { access, groups } = await rights.directory();
  const unread = unreadRolesText(await rights.countUnreadRoles());
  const notes = unread === null ? [] : [unread];
  if (access.length === 0) return ['No rules: every project is open, every security level closed.', ...notes];
  const users = await rights.users();
  const keys = await rights.recentKeys(Number.MAX_SAFE_INTEGER);
  const projects = new Set(keys.map((key) => projectKeyOf({ key })));
  const subject = ({ kind, id }: AccessRule) => {
    if (kind === 'level') return `Level ${id}`;
    return projects.has(id) ? `Project ${id}` : `Project ${id} (no issues imported)`;
  };
  const viewer = (id: string) => viewerName(id, { groups, users }, 'not in the imports');
  const rows = access.map((rule) => [subject(rule), rule.viewers.map(viewer).join(', ')] as const);
  const width = Math.max(...rows.map(([first]) => first.length));
  return [...rows.map(([first, viewers]) => printable(`${first.padEnd(width)}  ${viewers}`)), ...notes];
}
