import type { ExportInput } from '../../src/model/export.ts';

/** A kind of file, how it is wished for, and what lies in the folder while its list is written. */
export interface FileKind {
  readonly name: string;
  readonly wish: Partial<ExportInput>;
  readonly parts: readonly string[];
}

/** Every kind there is; the first three are written in ways of their own. */
export const fileKinds: readonly FileKind[] = [
  { name: 'CSV', wish: { type: 'CSV' }, parts: ['part'] },
  { name: 'XLSX', wish: { type: 'XLSX' }, parts: ['part'] },
  { name: 'XLS', wish: { type: 'XLS' }, parts: ['part.sheets', 'part.strings'] },
  { name: 'ZIP', wish: { type: 'CSV', withProvenance: true }, parts: ['part'] },
  { name: 'JSON', wish: { type: 'JSON' }, parts: ['part'] },
];
