import type { FieldValue, Status, StatusCategory } from '../../model/issue.ts';

const status = (id: string, name: string, category: StatusCategory, scope?: string): Status => ({
  id,
  name,
  category,
  deleted: false,
  ...(scope === undefined ? {} : { scope }),
});

export const toDo = status('10000', 'To Do', 'To Do');
export const inProgress = status('3', 'In Progress', 'In Progress');
export const inReview = status('10003', 'In Review', 'In Progress');
export const qa = status('10004', 'QA', 'In Progress');
export const blocked = status('10005', 'Blocked', 'In Progress');
export const done = status('10002', 'Done', 'Done');

export const backlog = status('10007', 'Backlog', 'To Do');
export const selected = status('10008', 'Selected', 'To Do');
/** Named like the shared one and yet another status: the app's team manages its own. */
export const appInReview = status('10021', 'In Review', 'In Progress', 'APP');
export const readyForRelease = status('10022', 'Ready for Release', 'In Progress', 'APP');

export const open = status('1', 'Open', 'To Do');
export const waitingForCustomer = status('10006', 'Waiting for customer', 'In Progress');
export const resolved = status('5', 'Resolved', 'Done');
export const closed = status('6', 'Closed', 'Done');

/** The web team gave it up; only older histories still pass through it. */
export const analysis: Status = { ...status('10010', 'Analysis', 'In Progress'), deleted: true };

/** Every status any history mentions, the deleted one included. */
export const statuses: readonly Status[] = [
  open,
  inProgress,
  resolved,
  closed,
  toDo,
  done,
  inReview,
  qa,
  blocked,
  waitingForCustomer,
  backlog,
  selected,
  analysis,
  appInReview,
  readyForRelease,
];

const values = new Map(statuses.map(({ id, name }) => [id, { id, name }]));

/** The status as content of a field. */
export function statusValue({ id, name }: Status): FieldValue {
  return values.get(id) ?? { id, name };
}
