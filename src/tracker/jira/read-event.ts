import { z } from 'zod';
import { idText } from '../jira-json/jira-schema.ts';

const event = z.object({ webhookEvent: z.string() });
const aboutIssue = z.object({ issue: z.object({ id: idText }) }).transform(({ issue }) => [issue.id]);
const aboutWork = z
  .object({ worklog: z.object({ issueId: idText }) })
  .transform(({ worklog }) => [worklog.issueId]);
const aboutLink = z
  .object({ issueLink: z.object({ sourceIssueId: idText, destinationIssueId: idText }) })
  .transform(({ issueLink }) => [issueLink.sourceIssueId, issueLink.destinationIssueId]);

/** Where events that begin so tell which issues they are about. */
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
  // Some versions tell of comments and work without their issue.
  return shape.safeParse(body).data ?? (webhookEvent.startsWith('jira:') ? null : []);
}
