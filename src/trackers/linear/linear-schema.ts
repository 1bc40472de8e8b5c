import { z } from 'zod';
import type { StatusCategory } from '../../model/issue.ts';

/** An instant as Linear writes it (`DateTime`: ISO 8601 in UTC), in epoch milliseconds. */
export const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const reference = z.object({ id: z.string() });

/** One of Linear's connections: nodes, and where the next page begins. */
export function connectionOf<Node extends z.ZodType>(node: Node) {
  return z.object({
    nodes: z.array(node),
    pageInfo: z
      .object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() })
      // A page that leads nowhere would be read for ever.
      .refine(({ hasNextPage, endCursor }) => !hasNextPage || endCursor !== null),
  });
}

/** The fields of a connection's page, for a query. */
export const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';

/**
 * The fields of a history entry. Values are ids, whose names are in the lists: an object in their place costs ten times as
 * much of the limit of complexity.
 */
export const HISTORY_FIELDS = `id createdAt actorId fromStateId toStateId fromAssigneeId toAssigneeId fromTeamId toTeamId
  fromCycleId toCycleId fromParentId toParentId fromPriority toPriority fromEstimate toEstimate fromDueDate toDueDate
  fromTitle toTitle addedLabelIds removedLabelIds`;

const optional = z.string().nullable();
const ids = z
  .array(z.string())
  .nullable()
  .transform((list) => list ?? []);

/** The changes of an issue by one person, or by an automation, at one instant. */
export const historyEntry = z.object({
  id: z.string(),
  createdAt: instant,
  actorId: optional,
  fromStateId: optional,
  toStateId: optional,
  fromAssigneeId: optional,
  toAssigneeId: optional,
  fromTeamId: optional,
  toTeamId: optional,
  fromCycleId: optional,
  toCycleId: optional,
  fromParentId: optional,
  toParentId: optional,
  fromTitle: optional,
  toTitle: optional,
  fromPriority: z.number().nullable(),
  toPriority: z.number().nullable(),
  fromEstimate: z.number().nullable(),
  toEstimate: z.number().nullable(),
  fromDueDate: optional,
  toDueDate: optional,
  addedLabelIds: ids,
  removedLabelIds: ids,
});
export type HistoryEntry = z.output<typeof historyEntry>;

/** The fields of an issue without its history. */
export const ISSUE_FIELDS = `id identifier title createdAt updatedAt trashed completedAt canceledAt dueDate priority estimate
  url labelIds team { id } state { id } assignee { id } creator { id } cycle { id } parent { id identifier }`;

/** An issue with the first page of its history, the newest entries first. */
export const issueShape = z.object({
  id: z.string(),
  identifier: z.string(),
  title: z.string(),
  url: z.string(),
  createdAt: instant,
  updatedAt: instant,
  trashed: z.boolean().nullable(),
  completedAt: instant.nullable(),
  canceledAt: instant.nullable(),
  dueDate: optional,
  priority: z.number(),
  estimate: z.number().nullable(),
  labelIds: z.array(z.string()),
  team: reference,
  state: reference,
  assignee: reference.nullable(),
  creator: reference.nullable(),
  cycle: reference.nullable(),
  parent: reference.extend({ identifier: z.string() }).nullable(),
  history: connectionOf(historyEntry),
});
export type LinearIssue = z.output<typeof issueShape>;

/** The types of Linear's workflow states by the category that Dwell counts them as. */
export const categories: Readonly<Record<string, StatusCategory>> = {
  triage: 'To Do',
  backlog: 'To Do',
  unstarted: 'To Do',
  started: 'In Progress',
  completed: 'Done',
  canceled: 'Done',
  duplicate: 'Done',
};
