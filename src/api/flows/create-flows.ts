import { millisecondsInWeek } from 'date-fns/constants';
import { durationFigures } from '../../engine/measure/statistics.ts';
import { AppError, about } from '../../model/error.ts';
import type { FlowStages, ProjectFlow, WorkKind } from '../../model/flow.ts';
import type { FieldValue, Instant, Status } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, defaultStatistic, type Principal } from '../../model/request.ts';
import type { Documents } from '../../store/documents.ts';
import { flowEfficiency } from '../answers/figures/flow-efficiency.ts';
import { kindAmong } from '../outcomes/issue-flow.ts';
import { addTime } from '../outcomes/time-within.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { checkFlow } from './check-flow.ts';
import { defaultFlow } from './default-flow.ts';
import type { FlowFigures, FlowOfProject } from './flow-document.ts';
import type { FlowsApi } from './flows-api.ts';

/** The weeks that a preview shows. */
const PREVIEW_WEEKS = 8;

/** The parts of the port; `store` is that of the tracker in use. */
interface FlowsParts {
  readonly reporting: Pick<ReportingApi, 'report' | 'statuses' | 'flows' | 'finishedSpans'>;
  readonly store: () => Promise<Documents<ProjectFlow>>;
  readonly defaultCalendar: () => Promise<string>;
  /** The tracker says that a person may administer a project (its key). */
  readonly administers: (principal: Principal, project: string) => Promise<boolean>;
  readonly now: () => Instant;
}

/** The port of flows over the store. */
export function createFlows({ reporting, store, defaultCalendar, administers, now }: FlowsParts): FlowsApi {
  /** The statuses that the issues of a project are or were in, in workflow order. */
  async function seenIn(principal: Principal, key: string): Promise<ProjectStatuses> {
    const project = key.toUpperCase();
    const request = ask({
      principal,
      reportType: reportIds.statusCount,
      selection: { by: 'project', project },
      includeDeletedStatuses: true,
      statistic: { ...defaultStatistic, type: 'sum' },
    });
    const { columns } = await reporting.report(request).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.reason !== 'unknown-name') throw error;
      const problem = `'${key}' is not a project, or you don't have access to it. Try: the key of a project.`;
      throw new AppError('unknown-project', 'The project could not be found.', [
        about('projectKey', problem),
      ]);
    });
    const seen = new Set(columns.flatMap(({ id, part }) => (part === 'value' ? [id] : [])));
    const all = await reporting.statuses(principal);
    return { project, all, own: all.filter(({ id, scope }) => seen.has(id) || scope === project) };
  }

  async function permit(principal: Principal, project: string): Promise<void> {
    if (principal.rights === 'admin' || (await administers(principal, project))) return;
    throw new AppError('admin-only', 'Forbidden', [
      `Only an admin of Dwell, or of the project ${project}, can change its flow.`,
    ]);
  }

  async function answerOf(principal: Principal, seen: ProjectStatuses): Promise<FlowOfProject> {
    const versions = (await (await store()).get(seen.project))?.versions ?? [];
    const flow = versions.at(-1)?.flow ?? null;
    const flows = await reporting.flows(principal);
    const shown = flow ?? defaultFlow(seen.own, kindAmong(flows, []));
    const names = new Map(seen.all.map(({ id, name }) => [id, name]));
    const placed = new Set(
      [shown, ...shown.variants].flatMap(({ stages }) =>
        stages.flatMap((one) => one.statuses.map(({ id }) => id)),
      ),
    );
    const named = ({ id, name }: FieldValue) => ({ id, name: names.get(id) ?? name });
    const stagesOf = ({ stages, start, end, pauses }: FlowStages) => ({
      stages: stages.map(({ statuses, ...stage }) => ({ ...stage, statuses: statuses.map(named) })),
      start: start === '' ? null : start,
      end: end === '' ? null : end,
      pauses,
    });
    return {
      projectKey: seen.project,
      revision: versions.length,
      isDefault: flow === null,
      ...stagesOf(shown),
      blockedBy: { ...shown.blockedBy, statuses: shown.blockedBy.statuses.map(named) },
      notCounted: shown.notCounted,
      variants: shown.variants.map((one) => ({ ...stagesOf(one), issueTypes: one.issueTypes })),
      unplaced: seen.own.filter(({ id }) => !placed.has(id)).map(named),
      changes: versions.map(({ at, by }) => ({ at, by })),
    };
  }

  return {
    permit,
    flow: async (principal, project) => answerOf(principal, await seenIn(principal, project)),
    async preview(principal, key, input) {
      const seen = await seenIn(principal, key);
      const { project } = seen;
      const draft = {
        project,
        versions: [{ flow: checkFlow(input, project, seen), at: now(), by: principal.account }],
      };
      const asOf = now();
      const figuresBy = async (flows: Awaited<ReturnType<ReportingApi['flows']>>): Promise<FlowFigures> => {
        const bounds = Array.from(
          { length: PREVIEW_WEEKS + 1 },
          (_, week) => asOf - (PREVIEW_WEEKS - week) * millisecondsInWeek,
        );
        const { spans } = await reporting.finishedSpans({
          principal,
          selection: { by: 'project', project },
          dateRange: null,
          asOf,
          calendar: await defaultCalendar(),
          bounds,
          flows,
        });
        const within = new Map<string, Map<WorkKind, number>>();
        for (const span of spans) {
          for (const [id, times] of await span.within())
            for (const [kind, ms] of times) addTime(within, id, kind, ms);
        }
        return {
          finished: spans.reduce((sum, { finished }) => sum + finished, 0),
          cycleTime: durationFigures(spans.flatMap(({ cycleTimes }) => cycleTimes)),
          inProgress: (await spans.at(-1)?.inProgress()) ?? 0,
          flowEfficiency: flowEfficiency(within),
        };
      };
      return {
        now: await figuresBy(await reporting.flows(principal)),
        draft: await figuresBy(await reporting.flows(principal, draft)),
      };
    },
    async put(principal, key, { input, revision }) {
      const seen = await seenIn(principal, key);
      const { project } = seen;
      await permit(principal, project);
      const flow = input === null ? null : checkFlow(input, project, seen);
      await (await store()).change(project, (stored) => {
        const versions = stored?.versions ?? [];
        if (versions.length !== revision) {
          throw new AppError(
            'changed-meanwhile',
            `The flow of ${project} was changed meanwhile.`,
            [
              about(
                'revision',
                `${revision} is not the latest one, ${versions.length}. Try: read the flow again.`,
              ),
            ],
            { data: { revision: versions.length } },
          );
        }
        return { project, versions: [...versions, { flow, at: now(), by: principal.account }] };
      });
      return answerOf(principal, seen);
    },
  };
}

/** The statuses of a project (its key, upper case), and all that the principal can know of. */
interface ProjectStatuses {
  readonly project: string;
  readonly own: readonly Status[];
  readonly all: readonly Status[];
}
