import type { ExportInput, ExportRecord } from '../../src/model/export.ts';
import { ask, type ReportRequest } from '../../src/model/request.ts';
import { principalOf } from './principal-of.ts';

/** A CSV of everything, asked for by ada; choices are those of its request. */
export function aWish(choices: Partial<ReportRequest> = {}, more: Partial<ExportInput> = {}): ExportInput {
  return {
    principalName: null,
    type: 'CSV',
    request: ask({
      principal: principalOf('ada'),
      reportType: 'statusDuration',
      selection: { by: 'jql', jql: '' },
      ...choices,
    }),
    unit: 'hours',
    dayLength: '24HourDays',
    formats: { dateFormat: 'yyyy-MM-dd', dateTimeFormat: 'yyyy-MM-dd HH:mm' },
    denominator: 'nonNull',
    deviation: 'population',
    byteOrderMark: false,
    withProvenance: false,
    ...more,
  };
}

/** A queued export of ada's. */
export function anExport(id: string, told: Partial<ExportRecord> = {}): ExportRecord {
  return {
    id,
    input: aWish(),
    state: 'Queued',
    createdAt: 0,
    completed: 0,
    total: 3,
    message: null,
    fileName: null,
    bytes: null,
    provenance: null,
    scope: null,
    finishedAt: null,
    expiresAt: null,
    delivery: null,
    attempts: 0,
    ...told,
  };
}

/** A queued export of somebody's. */
export function exportOf(user: string, id: string, createdAt: number, admin = false): ExportRecord {
  return anExport(id, {
    createdAt,
    input: aWish({ principal: principalOf(user, admin ? 'admin' : 'user') }),
  });
}
