import { z } from 'zod';
import { isRecord } from '../jira-json/json-members.ts';
import { idText } from '../jira-json/read-references.ts';
import { unusableReason } from '../jira-json/unusable-reason.ts';

const issue = z.looseObject({
  id: idText,
  key: z.string(),
  fields: z.record(z.string(), z.unknown()).default({}),
});
const withId = z.looseObject({
  id: idText,
  key: z.string().nullable().catch(null),
  fields: z.record(z.string(), z.unknown()).catch({}),
});
const withKey = z.object({ key: z.string() });

/**
 * An issue as Jira sends it, of which only its identity was checked. `unlike`: the reason why it is unusable, null for
 * a good one; the id stands in for a missing key.
 */
export type IssueJson = z.output<typeof issue> & { readonly unlike: string | null };

/** An entry among issues without even an id. */
export interface NamelessJson {
  readonly id: null;
  readonly key: string | null;
  readonly unlike: string;
}

/** One answer's issues, each looked at by itself: one that is broken does not take the others with it. */
export const listedIssues = z
  .array(z.unknown())
  .transform((listed) => listed.map((one, index) => readElement(one, { issues: listed }, ['issues', index])));

/** An issue that is an answer by itself. */
export const singleIssue = z.unknown().transform((raw) => readElement(raw, raw, []));

/** Those with an id. */
export function identified(listed: readonly (IssueJson | NamelessJson)[]): IssueJson[] {
  return listed.filter((one) => one.id !== null);
}

/** The others. */
export function nameless(listed: readonly (IssueJson | NamelessJson)[]): NamelessJson[] {
  return listed.filter((one) => one.id === null);
}

function readElement(one: unknown, answer: unknown, place: readonly PropertyKey[]): IssueJson | NamelessJson {
  // As Jira writes them, which the schema need not look at.
  if (isRecord(one) && typeof one.id === 'string' && typeof one.key === 'string' && isRecord(one.fields)) {
    const { id, key, fields } = one;
    return { ...one, id, key, fields, unlike: null };
  }
  const parsed = issue.safeParse(one);
  if (parsed.success) return { ...parsed.data, unlike: null };
  const unlike = unusableReason(answer, [...place, ...(parsed.error.issues[0]?.path ?? [])]);
  const broken = withId.safeParse(one);
  if (!broken.success) return { id: null, key: withKey.safeParse(one).data?.key ?? null, unlike };
  const { id, key, fields } = broken.data;
  return { id, key: key ?? id, fields, unlike };
}
