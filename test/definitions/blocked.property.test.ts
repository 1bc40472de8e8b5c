import fc from 'fast-check';
import { expect, test } from '#jest';
import type { ReportRequest } from '../../src/model/request.ts';
import { anInstant } from '../support/arbitrary-issue.ts';
import { runs } from '../support/soak.ts';
import { anyStatistic, existing, inOrderOf, questionIn } from './any-request.ts';
import { now } from './any-world.ts';
import { expectFigures, figuresAsDefined, listAsDefined } from './as-defined.ts';
import { piecesOf } from './blocked-reports.ts';
import { aBlockedRequest, aBlockedWorld, blockedIn, kindIn, reportingOver, sees } from './blocked-world.ts';
import { visitsIn } from './question.ts';
import { defineFigures, defineTable } from './table.ts';

test.each(['blockedDuration', 'blockedCount', 'blockedDurationByStatus'])(
  'a list of %s is what its definition says, whatever the flags, links, flows and rights',
  async (reportType) => {
    await fc.assert(
      fc.asyncProperty(aBlockedWorld, aBlockedRequest(reportType), async (world, request) => {
        const api = reportingOver(world);
        const table = await api.report(request);
        const issues = existing(world, request).filter((issue) => sees(request.principal, issue));
        expect(table.issues).toHaveLength(issues.length);
        const question = { ...(await questionIn(world, request, api)), blocked: blockedIn(world) };
        expect(listAsDefined(table)).toEqual(defineTable(inOrderOf(table, issues), question));
      }),
      { numRuns: runs(200) },
    );
  },
);

test.each(['blockedDuration', 'blockedCount', 'blockedDurationByStatus', 'blockedDurationExpanded'])(
  '%s of an issue by key is what its definition says',
  async (reportType) => {
    await fc.assert(
      fc.asyncProperty(aBlockedWorld, aBlockedRequest(reportType), async (world, anyOne) => {
        const issues = existing(world, anyOne).filter((issue) => sees(anyOne.principal, issue));
        for (const issue of issues) {
          const request: ReportRequest = { ...anyOne, selection: { by: 'keys', keys: [issue.key] } };
          const api = reportingOver(world);
          const question = { ...(await questionIn(world, request, api)), blocked: blockedIn(world) };
          expect(listAsDefined(await api.report(request))).toEqual(defineTable([issue], question));
        }
      }),
      { numRuns: runs(100) },
    );
  },
);

test.each(['blockedDuration', 'blockedCount', 'blockedDurationByStatus'])(
  'the figures of groups of %s are what their definition says',
  async (reportType) => {
    await fc.assert(
      fc.asyncProperty(
        aBlockedWorld,
        aBlockedRequest(reportType),
        fc.record({
          groupBy: fc.uniqueArray(fc.constantFrom('status', 'assignee', 'calc:projectKey'), { maxLength: 1 }),
          statistic: anyStatistic,
        }),
        async (world, anyOne, { groupBy, statistic }) => {
          const api = reportingOver(world);
          const request: ReportRequest = { ...anyOne, groupBy };
          const { issues } = await api.report({ ...request, groupBy: [] });
          const question = { ...(await questionIn(world, request, api)), blocked: blockedIn(world) };
          const seen = existing(world, request).filter((issue) => sees(request.principal, issue));
          const defined = defineFigures(inOrderOf({ issues }, seen), statistic, question);
          expectFigures(figuresAsDefined(await api.report({ ...request, statistic })), defined);
        },
      ),
      { numRuns: runs(200) },
    );
  },
);

test('blocked time of started work in spans is what its definition says', async () => {
  await fc.assert(
    fc.asyncProperty(
      aBlockedWorld,
      aBlockedRequest('blockedDuration'),
      fc.uniqueArray(anInstant, { minLength: 2, maxLength: 4 }),
      async (world, { trim: _, ...request }, instants) => {
        const api = reportingOver(world);
        const bounds = instants.toSorted((a, b) => a - b);
        const { principal, selection, calendar, linksWithin } = request;
        const asOf = request.asOf ?? now;
        const found = await api.blockedSpans({
          ...{ principal, selection, calendar, asOf, bounds, dateRange: null },
          ...(linksWithin === undefined ? {} : { linksWithin }),
        });
        const defined = bounds.slice(1).map((to, i) => {
          const trim = { from: bounds[i] ?? 0, to };
          const seen = existing(world, { ...request, trim }).filter((issue) => sees(principal, issue));
          return { trim, seen };
        });
        const spans = await Promise.all(
          defined.map(async ({ trim, seen }) => {
            const base = await questionIn(world, { ...request, trim }, api);
            const question = { ...base, blocked: blockedIn(world) };
            const parts = seen.map((issue) => {
              const pieces = piecesOf(issue, question).filter(({ things }) => things.length > 0);
              const all = visitsIn(issue, 'status', question).flatMap(({ value, start, end }) =>
                pieces.map((piece) => ({
                  kind: value === null ? 'unknown' : kindIn(world.flow, issue, value.id, asOf),
                  from: Math.max(piece.start, start),
                  until: Math.min(piece.end, end),
                })),
              );
              const own = all.filter(
                ({ kind, from, until }) => ['active', 'waiting'].includes(kind) && from < until,
              );
              const sum = (some: typeof own) =>
                some.reduce((ms, { from, until }) => ms + question.between(from, until), 0);
              const isSet = issue.key.startsWith('WEB-') && world.flow !== null;
              return {
                ...{ ms: sum(own), keys: own.length === 0 ? [] : [issue.key] },
                activeMs: isSet ? sum(own.filter(({ kind }) => kind === 'active')) : 0,
              };
            });
            return parts.reduce(
              (all, one) => ({
                ms: all.ms + one.ms,
                keys: [...all.keys, ...one.keys],
                activeMs: all.activeMs + one.activeMs,
              }),
              { ms: 0, keys: [] as string[], activeMs: 0 },
            );
          }),
        );
        expect(
          found?.spans.map(({ ms, activeMs, keys }) => ({ ms, activeMs, keys: keys().toSorted() })),
        ).toEqual(spans.map(({ keys, ...own }) => ({ ...own, keys: keys.toSorted() })));
        expect(found?.spans.map(({ issues }) => issues)).toEqual(spans.map(({ keys }) => keys.length));
      },
    ),
    { numRuns: runs(600) },
  );
});
