import { z } from 'zod';

/** Ids are asked for in JQL, so nothing else may pass for one. */
const issueId = z.union([z.string().regex(/^\d+$/), z.int().nonnegative()]).transform(String);

const event = z.object({ webhookEvent: z.string() });
const aboutIssue = z.object({ issue: z.object({ id: issueId }) }).transform(({ issue }) => [issue.id]);
const aboutWork = z
  .object({ worklog: z.object({ issueId: issueId }) })
  .transform(({ worklog }) => [worklog.issueId]);
const aboutLink = z
  .object({ issueLink: z.object({ sourceIssueId: issueId, destinationIssueId: issueId }) })
  .transform(({ issueLink }) => [issueLink.sourceIssueId, issueLink.destinationIssueId]);

/** The issue ids of events, by the beginnings of their names. */
const kinds: readonly (readonly [RegExp, z.ZodType<string[]>])[] = [
  [/^jira:issue_/, aboutIssue],
  [/^comment_/, aboutIssue],
  [/^worklog_/, z.union([aboutWork, aboutIssue])],
  [/^issuelink_/, aboutLink],
];

/** The ids of the issues that an event of Jira is about; none when it is about something else, null when it is no event. */
export function readEvent(body: unknown): readonly string[] | null {
  const parsed = event.safeParse(body);
  if (!parsed.success) return null;
  const { webhookEvent } = parsed.data;
  const kind = kinds.find(([name]) => name.test(webhookEvent));
  if (kind === undefined) return [];
  const [, shape] = kind;
  // Some versions send events of comments and work without their issue.
  return shape.safeParse(body).data ?? (webhookEvent.startsWith('jira:') ? null : []);
}
