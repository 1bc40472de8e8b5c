import { type Flows, type WorkKind, workKinds } from '../../model/flow.ts';
import type { FieldContent, FieldValue, Instant } from '../../model/issue.ts';
import { type ColumnArrays, IRREGULAR } from './column-arrays.ts';
import type { IssueColumns } from './issue-columns.ts';

/** The kinds of work as numbers: the place of each in `workKinds`. */
export const kindCode = { queue: 0, active: 1, waiting: 2, done: 3, unknown: 4 } as const satisfies Readonly<
  Record<WorkKind, number>
>;

/** Returns true for an issue that is started and not done. */
export const isStartedCode = (kind: number) => kind === kindCode.active || kind === kindCode.waiting;

/** The number of kinds. */
export const KINDS = workKinds.length;

/** The flow of each row, over plain data that threads can have. */
export interface FlowRows {
  /** The flow by project × `types` + type of issue. The first one is that of rows whose project is not known. */
  readonly flows: Uint16Array;
  /** By the same index: 1 where the issue is work of that flow. */
  readonly counts: Uint8Array;
  /** The number of codes of types; 1 where no flow depends on the type. */
  readonly types: number;
  /** By flow: 1 where its clock pauses. */
  readonly pauses: Uint8Array;
  /** By flow: 1 for each code of a resolution with which a finish does not count. Null where no flow has any. */
  readonly dropped: readonly Uint8Array[] | null;
}

/** Lays out flows over the projects, types and resolutions of columns. */
export function flowRows(flows: Flows, columns: IssueColumns): FlowRows {
  const types = flows.byType ? contentsOf(columns, 'issuetype').map(valueIn) : [null];
  const projects = columns.projectKeys;
  const all = Array.from(projects, (project) =>
    types.map((type) => flows.of(project.toUpperCase(), type)),
  ).flat();
  return {
    flows: Uint16Array.from(all, ({ index }) => index),
    counts: Uint8Array.from(all, ({ counts }) => Number(counts)),
    types: types.length,
    pauses: Uint8Array.from(flows.all, ({ pauses }) => Number(pauses)),
    dropped: flows.byResolution
      ? flows.all.map(({ countsFinish }) =>
          Uint8Array.from(contentsOf(columns, 'resolution'), (content) =>
            Number(!countsFinish(valueIn(content))),
          ),
        )
      : null,
  };
}

function contentsOf(columns: IssueColumns, field: string): readonly (FieldContent | undefined)[] {
  const values = columns.values(field);
  return Array.from({ length: values.size }, (_, code) => values.at(code));
}

function valueIn(content: FieldContent | undefined): FieldValue | null {
  return content !== null && typeof content === 'object' && 'id' in content ? content : null;
}

/** The index of a row in `FlowRows`; -1 where its project is not known. */
export function flowIndex({ project, fields }: ColumnArrays, { types }: FlowRows, row: number): number {
  const code = project[row];
  if (code === IRREGULAR) return -1;
  return types === 1 ? code : code * types + (fields.issuetype?.[row] ?? 0);
}

/** The flow of a row at an instant depends on the type that its issue had then, and columns have that of now alone. */
export function needsTypeThen(
  { updated }: ColumnArrays,
  { types }: FlowRows,
  row: number,
  asOf: Instant,
): boolean {
  return types > 1 && updated[row] > asOf;
}

/** A finish of the row's issue, as its resolution is now, counts as finished work. */
export function countsFinish(
  { fields }: ColumnArrays,
  { dropped }: FlowRows,
  row: number,
  flow: number,
): boolean {
  return dropped === null || dropped[flow]?.[fields.resolution?.[row] ?? 0] !== 1;
}
