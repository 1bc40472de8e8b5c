import type { AccessRule, Group } from './directory.ts';
import type { Issue } from './issue.ts';
import type { Asker } from './request.ts';

/** Whether an asker may see an issue, decided once per question. */
export type MaySee = (issue: Issue) => boolean;

/**
 * The rights behind a set of rules. Admins see everything. A project without a rule is open to everyone who may ask;
 * one with a rule is open to its viewers only. An issue with a security level is open to that level's viewers, its
 * reporter and its assignee: a level nobody has told us about is closed to everybody else.
 */
export function rightsOf(asker: Asker, rules: readonly AccessRule[], groups: readonly Group[]): MaySee {
  if (asker.admin) return () => true;
  const closed = closedProjects(asker, rules, groups);
  const levels = openness('level', asker, rules, groups);
  return (issue) => {
    if (closed.has(projectKeyOf(issue).toUpperCase())) return false;
    const level = idOf(issue.fields.security);
    if (level === null) return true;
    const people = [idOf(issue.fields.reporter), issue.assignee?.id ?? null];
    return levels.get(level.toUpperCase()) === true || people.includes(asker.user);
  };
}

/** What the rules close and open to an asker: enough to see later whether something has been closed since. */
export interface Scope {
  readonly closedProjects: readonly string[];
  readonly openLevels: readonly string[];
  /** An admin's. */
  readonly everything: boolean;
}

/** How far an asker sees by the rules. */
export function scopeOf(asker: Asker, rules: readonly AccessRule[], groups: readonly Group[]): Scope {
  const levels = openness('level', asker, rules, groups);
  return {
    closedProjects: [...closedProjects(asker, rules, groups)],
    openLevels: [...levels].flatMap(([level, open]) => (open ? [level] : [])),
    everything: asker.admin,
  };
}

/** Whether who sees so far now may still see everything that could be seen then. */
export function stillCovers(then: Scope, now: Scope): boolean {
  if (now.everything) return true;
  return (
    !then.everything &&
    now.closedProjects.every((key) => then.closedProjects.includes(key)) &&
    then.openLevels.every((level) => now.openLevels.includes(level))
  );
}

/** Keys (upper case) of the projects the asker may not see. */
export function closedProjects(
  asker: Asker,
  rules: readonly AccessRule[],
  groups: readonly Group[],
): ReadonlySet<string> {
  if (asker.admin) return new Set();
  const projects = openness('project', asker, rules, groups);
  return new Set([...projects].flatMap(([key, open]) => (open ? [] : [key])));
}

function openness(
  kind: AccessRule['kind'],
  { user }: Asker,
  rules: readonly AccessRule[],
  groups: readonly Group[],
): Map<string, boolean> {
  const own = new Set([user, `user:${user}`]);
  for (const { id, members } of groups) {
    if (members.includes(user)) own.add(id).add(`group:${id}`);
  }
  return new Map(
    rules
      .filter((rule) => rule.kind === kind)
      .map((rule) => [rule.id.toUpperCase(), rule.viewers.some((viewer) => own.has(viewer))]),
  );
}

/** The key of the project an issue is in: what stands before the number. */
export function projectKeyOf({ key }: Pick<Issue, 'key'>): string {
  return key.slice(0, key.lastIndexOf('-'));
}

function idOf(content: Issue['fields'][string] | undefined): string | null {
  if (content === null || content === undefined) return null;
  if (typeof content === 'object') return 'id' in content ? content.id : (content[0]?.id ?? null);
  return content === '' ? null : String(content);
}
