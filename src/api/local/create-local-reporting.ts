import { withTaskContext } from '../../concurrency/cooperative-yield.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import type { Instant } from '../../model/issue.ts';
import type { Asker, ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { reports } from '../../reports/index.ts';
import { scopeOf } from '../access-rules.ts';
import type { DelegationApi } from '../delegation.ts';
import type { ReportingApi } from '../reporting.ts';
import { exampleKeys } from './example-keys.ts';
import { openReport } from './open-report.ts';
import { countIssues, type ReportSources, runReport, runSlices, surveyContents } from './run-report.ts';
import { openScene, type Scene, zoneOf } from './scene.ts';
import { stillOpen } from './still-open.ts';
import type { PageLists } from './take-page.ts';
import { understand } from './understand.ts';

/** What the local engine is built from. `timeZone` is the tracker server's. */
interface LocalReportingParts {
  /** The mirror a question is answered from; asked for once per question. */
  readonly mirror: () => Promise<Mirror>;
  readonly calendars: (asker: Asker) => Promise<readonly CalendarDefinition[]>;
  readonly pages: PageLists;
  /** Who stood in for whom, for reports that credit delegates. */
  readonly delegateTimes: DelegationApi['delegateTimes'];
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly timeZone: string;
}

/** The reporting port answered by our own engine over the mirror. */
export function createLocalReporting(parts: LocalReportingParts): ReportingApi {
  const { mirror, calendars, now, timeZone, pages, newId, delegateTimes } = parts;
  const sceneFor = async ({
    asker,
    asOf,
    timeZone: own,
  }: Pick<ReportRequest, 'asker' | 'asOf' | 'timeZone'>) =>
    openScene(await mirror(), { asker, asOf, askedAt: now(), timeZone: own, usualZone: timeZone });
  const sourcesFor = async (asker: Asker) => ({
    reports,
    calendars: await calendars(asker),
    pages,
    newId,
    delegateTimes,
  });
  /** One asker's work takes turns with everybody else's. */
  const asked = <Result>(
    request: ReportRequest,
    answer: (request: ReportRequest, scene: Scene, sources: ReportSources) => Promise<Result>,
  ): Promise<Result> =>
    withTaskContext({ owner: request.asker.user }, async () =>
      answer(request, await sceneFor(request), await sourcesFor(request.asker)),
    );
  return {
    reportTypes: reports.map(({ id, title, shape }) => ({ id, title, shape })),
    report: (request) => asked(request, runReport),
    open: (request, statistics, reading) =>
      asked(request, (...given) => openReport(...given, { statistics, ...reading })),
    async *slices(request) {
      const mine = <Result>(run: () => Promise<Result>) =>
        withTaskContext({ owner: request.asker.user }, run);
      const slices = runSlices(request, await sceneFor(request), await sourcesFor(request.asker));
      for (;;) {
        const { done, value: slice } = await mine(() => slices.next());
        if (done) return;
        yield { report: (own) => mine(() => slice.report(own)) };
      }
    },
    count: (request) => asked(request, countIssues),
    contents: (request) => asked(request, surveyContents),
    async check(request) {
      await asked(request, understand);
    },
    async statuses(asker) {
      const scene = await sceneFor({ asker, asOf: null, timeZone: null });
      return [...(await scene.world()).vocabulary.statuses.values()];
    },
    async timeZoneOf(asker) {
      const users = await (await mirror()).users([asker.user]);
      return zoneOf(users.get(asker.user), timeZone);
    },
    async scope(asker, then) {
      const world = await mirror();
      const rights = await world.directoryFor(asker);
      const scope = scopeOf(asker, rights);
      if (then === undefined) return scope;
      return stillOpen(then, scope, { asker, rights, issue: (key) => world.issue(key) });
    },
    exampleKeys: async (asker, count) => exampleKeys(await mirror(), asker, count),
  };
}
