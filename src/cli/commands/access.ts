import type { AccessRule } from '../../model/directory.ts';
import { AppError, badRequest, badRequestAs } from '../../model/error.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { unreadRolesText } from '../../output/sync-text.ts';
import { type CliParts, createCommand, type JsonOutput, printable } from '../cli-command.ts';
import { viewerData, viewerIds, viewerName } from '../viewers.ts';

/** Lists who may see what of the imported issues, or sets it for one project or one security level. */
export const access = createCommand({
  name: 'access',
  usage: 'access [PROJECT (--to USER[,USER…] | --everyone) | --level ID (--to USER[,USER…] | --none)]',
  summary: 'list permissions on imported issues, or change them for a project or a security level',
  details:
    'A project without a rule is open to everyone with a token. A security level is closed to all but its viewers, the reporter and the assignee; so is an issue that is restricted to roles. A connected tracker such as Jira decides instead.',
  words: { '[PROJECT]': 'a project key, such as WEB' },
  options: {
    '--level ID': 'a security level instead of a project',
    '--to USER[,USER…]':
      'only these can see it: ids, logins, email addresses or full names of users, ids or names of groups',
    '--everyone': 'open the project to everyone again',
    '--none': 'close the security level again',
    '--json':
      'print JSON: { rules: [{ kind, id, hasIssues, viewers: [{ id, kind, name, members }] }], unreadRoles }; kind is project or level, hasIssues null for a level',
  },
  examples: ['access', 'access WEB --to ada,web-team', 'access --level 10700 --to ada'],
  async run(typed, parts) {
    const to = typed.value('to');
    const target = readTarget(typed.words, typed.value('level'));
    if (parts.trackerDecides !== null) throw decidedBy(parts.trackerDecides);
    const actions = [
      ...(to === undefined ? [] : ['--to']),
      ...(typed.isOn('everyone') ? ['--everyone'] : []),
      ...(typed.isOn('none') ? ['--none'] : []),
    ];
    if (target !== null) await change(target, actions, to ?? '', parts);
    else if (actions.length > 0) {
      throw badRequest(`${actions[0]} needs a PROJECT or --level ID. Try: ${access.usage}.`);
    }
    await printRules(parts);
    return 0;
  },
});

/** A rule that is never checked would be a promise. */
function decidedBy({ title, setting }: NonNullable<CliParts['trackerDecides']>): AppError {
  return new AppError('decided-by-tracker', `${title} decides who can see which issues`, [
    `To use your own rules instead, set ${setting}=rules.`,
  ]);
}

async function change(
  { kind, id, text }: Target,
  actions: readonly string[],
  to: string,
  { rights }: CliParts,
): Promise<void> {
  // A project without a rule is open to everyone, a security level without one to no one.
  const takeAway = kind === 'project' ? '--everyone' : '--none';
  const [action, ...others] = actions;
  if (others.length > 0)
    throw badRequestAs('conflicting-values', `${actions.join(' and ')} cannot be used together.`);
  if (action === '--to') {
    const { groups } = await rights.directory();
    const viewers = viewerIds('--to', to, { groups, users: await rights.users() });
    await rights.putDirectory({ access: [{ kind, id, viewers }] });
  } else if (action !== takeAway) {
    const wrong =
      action === undefined ? `${text} needs the people who can see it` : `${action} is not for ${text}`;
    throw badRequest(`${wrong}. Try: --to USER[,USER…] or ${takeAway}.`);
  } else if (!(await rights.removeAccess(kind, id))) {
    throw badRequest(`${text} has no rule. Try: one that access lists.`);
  }
}

/** The subject of a rule; `text` is its form for people. */
interface Target extends Pick<AccessRule, 'kind' | 'id'> {
  readonly text: string;
}

/** The project or the security level that is meant; null when nothing is. */
function readTarget(words: readonly string[], level: string | undefined): Target | null {
  const [project] = words;
  if (level !== undefined) {
    if (project !== undefined)
      throw badRequestAs('conflicting-values', `PROJECT '${project}' and --level cannot be used together.`);
    const id = level.trim();
    if (id === '') throw badRequest("--level '' is not a security level. Try: its id, such as 10700.");
    return { kind: 'level', id, text: `Level ${id}` };
  }
  if (project === undefined) return null;
  const key = project.trim().toUpperCase();
  if (!/^[A-Z][A-Z0-9_]*$/.test(key)) {
    throw badRequest(
      `PROJECT '${project}' is not a project key. Try: the part of an issue key before the number, such as WEB.`,
    );
  }
  return { kind: 'project', id: key, text: `Project ${key}` };
}

/** Every rule on a line, with what the imports know of the viewers and of the project. */
async function printRules({ rights, out, json }: CliParts & JsonOutput): Promise<void> {
  const { access, groups } = await rights.directory();
  const known = { groups, users: await rights.users() };
  const keys = access.length === 0 ? [] : await rights.recentKeys(Number.MAX_SAFE_INTEGER);
  const projects = new Set(keys.map((key) => projectKeyOf({ key })));
  const hasIssues = ({ kind, id }: AccessRule) => (kind === 'project' ? projects.has(id) : null);
  const unreadRoles = await rights.countUnreadRoles();
  json({
    rules: access.map((rule) => ({
      kind: rule.kind,
      id: rule.id,
      hasIssues: hasIssues(rule),
      viewers: rule.viewers.map((id) => viewerData(id, known)),
    })),
    unreadRoles,
  });
  const rows = access.map((rule) => {
    const subject = rule.kind === 'level' ? `Level ${rule.id}` : `Project ${rule.id}`;
    const viewers = rule.viewers.map((id) => viewerName(id, known, 'not in the imports')).join(', ');
    return [hasIssues(rule) === false ? `${subject} (no issues imported)` : subject, viewers] as const;
  });
  const width = Math.max(...rows.map(([first]) => first.length));
  if (rows.length === 0) out('No rules: every project is open, every security level closed.');
  for (const [first, viewers] of rows) out(printable(`${first.padEnd(width)}  ${viewers}`));
  const unread = unreadRolesText(unreadRoles);
  if (unread !== null) out(unread);
}
