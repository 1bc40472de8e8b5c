import { isDeepStrictEqual } from 'node:util';
import { millisecondsInWeek } from 'date-fns/constants';
import { durationFigures } from '../../engine/measure/statistics.ts';
import { AppError, about, badRequestAs, quoted } from '../../model/error.ts';
import type { Flow, FlowStages, Flows, ProjectFlow, WorkKind } from '../../model/flow.ts';
import type { FieldValue, Instant, Status } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, defaultStatistic, type Principal, type ReportRequest } from '../../model/request.ts';
import type { Documents } from '../../store/documents.ts';
import { kindAmong } from '../outcomes/issue-flow.ts';
import { addTime, flowEfficiency } from '../outcomes/time-within.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { checkFlow, defaultFlow } from './check-flow.ts';
import type { FlowChange, FlowFigures, FlowOfProject, FlowPreview } from './flow-document.ts';

/** The port of the flows of projects. A project that the principal cannot see is `unknown-project`. */
export interface FlowsApi {
  /** The flow of a project by its key. */
  flow(principal: Principal, project: string): Promise<FlowOfProject>;
  /** Fails as a change would for someone who cannot make it: Dwell's admins can, and who can administer the project in the tracker. */
  permit(principal: Principal, project: string): Promise<void>;
  /**
   * Shows the effect of a change before it is saved, with what the principal sees; fails as saving it would, but for its
   * revision and the right to save it.
   */
  preview(principal: Principal, project: string, change: FlowChange): Promise<FlowPreview>;
  /**
   * Saves a flow, or goes back to the default; a flow that is the same makes no change. It counts from the next question on,
   * for all of the past. `changed-meanwhile` where another one was saved since its revision was read.
   */
  put(principal: Principal, project: string, change: FlowChange): Promise<FlowOfProject>;
}

/** The weeks that a preview shows. */
const PREVIEW_WEEKS = 8;

/** The parts of the port; `store` is that of the tracker in use. */
interface FlowsParts {
  readonly reporting: Pick<
    ReportingApi,
    'report' | 'check' | 'statuses' | 'flows' | 'finishedSpans' | 'blockedSpans'
  >;
  readonly store: () => Promise<Documents<ProjectFlow>>;
  readonly defaultCalendar: () => Promise<string>;
  /** The tracker says that a person can administer a project (its key, upper case). */
  readonly administers: (principal: Principal, project: string) => Promise<boolean>;
  readonly now: () => Instant;
}

/** The port of flows over the store. */
export function createFlows({ reporting, store, defaultCalendar, administers, now }: FlowsParts): FlowsApi {
  /** The statuses that the issues of a project are or were in, in workflow order. */
  async function seenIn(principal: Principal, key: string): Promise<ProjectStatuses> {
    const project = key.toUpperCase();
    const { columns } = await reporting.report(aboutProject(principal, key)).catch(throwUnknown(key));
    const seen = new Set(columns.flatMap(({ id, part }) => (part === 'value' ? [id] : [])));
    const all = await reporting.statuses(principal);
    return { project, all, own: all.filter(({ id, scope }) => seen.has(id) || scope === project) };
  }

  async function permit(principal: Principal, key: string): Promise<void> {
    await reporting.check(aboutProject(principal, key)).catch(throwUnknown(key));
    const project = key.toUpperCase();
    if (principal.rights === 'admin' || (await administers(principal, project))) return;
    throw new AppError('admin-only', 'Forbidden', [
      `Only an admin of Dwell, or of the project ${project} in its tracker, can change its flow.`,
    ]);
  }

  async function defaultOf(principal: Principal, { own }: ProjectStatuses): Promise<Flow> {
    return defaultFlow(own, kindAmong(await reporting.flows(principal), []));
  }

  async function latestOf(project: string) {
    const versions = (await (await store()).get(project))?.versions ?? [];
    return { versions, latest: versions.at(-1)?.flow ?? null };
  }

  /** The flow that a change makes of the latest one; null: the default. */
  async function readDraft(
    { isDefault, stages, ...change }: FlowChange,
    latest: Flow | null,
    { principal, seen }: { readonly principal: Principal; readonly seen: ProjectStatuses },
  ): Promise<Flow | null> {
    if (isDefault === true && (latest !== null || stages === undefined)) return null;
    if (stages === undefined)
      throw badRequestAs('missing-value', about('stages', 'is required. Try: a list.'));
    const placed = latest === null ? [] : [...statusesIn(latest), ...latest.blockedBy.statuses];
    const flow = checkFlow({ ...change, stages }, seen.project, { ...seen, placed });
    // A default that is sent back as it was answered stays one, whatever becomes of the statuses.
    const isUnchanged = isDefault === true && isDeepStrictEqual(flow, await defaultOf(principal, seen));
    return isUnchanged ? null : flow;
  }

  async function answerOf(principal: Principal, seen: ProjectStatuses): Promise<FlowOfProject> {
    const { versions, latest: flow } = await latestOf(seen.project);
    const shown = flow ?? (await defaultOf(principal, seen));
    const names = new Map(seen.all.map(({ id, name }) => [id, name]));
    const placed = new Set(statusesIn(shown).map(({ id }) => id));
    // A status that only hidden issues are in is known by its id: its name is not for everyone.
    const isHidden = principal.rights !== 'admin';
    const named = ({ id, name }: FieldValue) => ({ id, name: names.get(id) ?? (isHidden ? id : name) });
    const stagesOf = ({ stages, start, end, pauses, target }: FlowStages) => ({
      stages: stages.map(({ statuses, ...stage }) => ({ ...stage, statuses: statuses.map(named) })),
      start: start === '' ? null : start,
      end: end === '' ? null : end,
      pauses,
      target: target ?? null,
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
    async preview(principal, key, change) {
      const seen = await seenIn(principal, key);
      const { project } = seen;
      const { latest } = await latestOf(project);
      const flow = await readDraft(change, latest, { principal, seen });
      const draft = { project, versions: [{ flow, at: now(), by: principal.account }] };
      const asOf = now();
      const weeksAgo = Array.from({ length: PREVIEW_WEEKS + 1 }, (_, week) => PREVIEW_WEEKS - week);
      const bounds = weeksAgo.map((weeks) => asOf - weeks * millisecondsInWeek);
      const calendar = await defaultCalendar();
      const figuresBy = async (flows: Flows) => {
        const selection = { by: 'project', project } as const;
        const input = { principal, selection, dateRange: null, asOf, calendar, bounds, flows };
        const { spans, doubtful, provenance } = await reporting.finishedSpans(input);
        const blocked = (await reporting.blockedSpans(input))?.spans ?? [];
        const blockedMs = blocked.reduce((sum, { activeMs }) => sum + activeMs, 0);
        const within = new Map<string, Map<WorkKind, number>>();
        for (const span of spans) {
          for (const [id, times] of await span.within())
            for (const [kind, ms] of times) addTime(within, id, kind, ms);
        }
        const figures: FlowFigures = {
          finished: spans.reduce((sum, { finished }) => sum + finished, 0),
          cycleTime: durationFigures(spans.flatMap(({ cycleTimes }) => cycleTimes)),
          inProgress: (await spans.at(-1)?.inProgress()) ?? 0,
          flowEfficiency: flowEfficiency(within, blockedMs),
          doubtful: doubtful.length,
        };
        return { figures, used: provenance.calendar };
      };
      const { figures, used } = await figuresBy(await reporting.flows(principal));
      const { figures: drafted } = await figuresBy(await reporting.flows(principal, draft));
      return { now: figures, draft: drafted, calendar: used };
    },
    async put(principal, key, change) {
      await permit(principal, key);
      const seen = await seenIn(principal, key);
      const { project } = seen;
      const { revision } = change;
      const { latest, versions: read } = await latestOf(project);
      assertLatest(read.length, { project, revision });
      const flow = await readDraft(change, latest, { principal, seen });
      if (isDeepStrictEqual(flow, latest)) return answerOf(principal, seen);
      await (await store()).change(project, (stored) => {
        const versions = stored?.versions ?? [];
        assertLatest(versions.length, { project, revision });
        return { project, versions: [...versions, { flow, at: now(), by: principal.account }] };
      });
      return answerOf(principal, seen);
    },
  };
}

/** The statuses that the stages of a flow have. */
function statusesIn(flow: Flow): readonly FieldValue[] {
  return [flow, ...flow.variants].flatMap(({ stages }) => stages.flatMap(({ statuses }) => statuses));
}

/** A request for the sum of visits of all issues of a project, by status. */
function aboutProject(principal: Principal, key: string): ReportRequest {
  return ask({
    principal,
    reportType: reportIds.statusCount,
    selection: { by: 'project', project: key.toUpperCase() },
    includeDeletedStatuses: true,
    statistic: { ...defaultStatistic, type: 'sum' },
  });
}

/** Makes `unknown-project` of the failure of such a request for a project that is not there for the principal. */
function throwUnknown(key: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof AppError) || error.reason !== 'unknown-name') throw error;
    const problem = `${quoted(key)} is not a project, or you don't have access to it. Try: the key of a project.`;
    throw new AppError('unknown-project', 'The project could not be found.', [about('projectKey', problem)]);
  };
}

/** Fails with `changed-meanwhile` where the revision that was read is not the latest one. */
function assertLatest(
  latest: number,
  { project, revision }: { readonly project: string; readonly revision: number },
): void {
  if (latest === revision) return;
  const problem = about(
    'revision',
    `'${revision}' is not the latest one, ${latest}. Try: read the flow again.`,
  );
  const sentence = `The flow of ${project} was changed meanwhile.`;
  throw new AppError('changed-meanwhile', sentence, [problem], { data: { revision: latest } });
}

/** The statuses of a project (its key, upper case), and all that the principal can know of. */
interface ProjectStatuses {
  readonly project: string;
  readonly own: readonly Status[];
  readonly all: readonly Status[];
}
