import { choose } from '../../api/refusals.ts';
import type { ReportType } from '../../engine/report-type.ts';
import { badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { ReportRequest, Statistic } from '../../model/request.ts';
import type { Column, Table } from '../../model/table.ts';
import { reports } from '../../reports/index.ts';
import { asPrincipal, dependsOnPrincipal } from './as-principal.ts';
import { type Asked, type Asking, createAskReport } from './ask-report.ts';
import { askedFormats } from './asked-wording.ts';
import { bounded } from './bounded.ts';
import type { TisClient } from './create-tis-client.ts';
import { createHostedCalendars } from './hosted-calendars.ts';
import { createLearnt, type Learnt } from './learnt.ts';
import { readGroups, readList } from './read-table.ts';
import { reportAnswer } from './report-answer.ts';

/** A part of a list as the service told it, and the table it is. */
export interface ToldList {
  readonly asked: Asked;
  readonly table: Table;
}

/** Tables of a service elsewhere, each by one request. */
export interface TableSource {
  readonly client: TisClient;
  readonly learnt: Learnt;
  /** A list; `columns` are those of the list this is a part of. */
  list(request: ReportRequest, asking: Asking, columns?: readonly Column[]): Promise<ToldList>;
  groups(request: ReportRequest, asking: Asking, statistic: Statistic): Promise<Table>;
  /** The request as the service understands it: its calendar by id, and the principal where the query means who asks. */
  worded(request: ReportRequest): Promise<ReportRequest>;
  /** A table of nothing, for figures that come without an answer around them. */
  blank(request: ReportRequest): Promise<Table>;
}

/** The report type of a request; one that is not known is refused. */
export function reportOf({ reportType }: Pick<ReportRequest, 'reportType'>): ReportType {
  return choose('columnsBy', reportType, reports, ({ id }) => [id]);
}

/** Nobody in the tracker has the name that a door gives to somebody it does not know. */
function refuseStranger({ selection, principal }: ReportRequest): void {
  if (
    principal.rights !== 'stranger' ||
    selection.by !== 'jql' ||
    !dependsOnPrincipal(selection.jql, principal.account)
  )
    return;
  throw badRequest(
    'currentUser() is nobody while your account is linked to no user of the tracker; allowed: a query without it, or say who you are with `/tis link`.',
  );
}

export function createTableSource(
  client: TisClient,
  { now, timeZone }: { readonly now: () => Instant; readonly timeZone: string },
): TableSource {
  const learnt = createLearnt(now, timeZone);
  const ask = createAskReport(client, learnt);
  const calendars = createHostedCalendars(client, now);

  async function askFor(request: ReportRequest, asking: Asking): Promise<Asked> {
    const asked = await ask(await worded(request), asking);
    // What was asked for by the principal, and not what it became.
    return { ...asked, request: { ...asked.request, selection: request.selection } };
  }

  async function worded(request: ReportRequest): Promise<ReportRequest> {
    const { selection, principal } = request;
    refuseStranger(request);
    return {
      ...request,
      reportType: reportOf(request).id,
      calendar: await calendars.idOf(request.calendar),
      selection:
        selection.by === 'jql'
          ? { ...selection, jql: bounded(asPrincipal(selection.jql, principal.account)) }
          : selection,
    };
  }

  const reading = async (asked: Asked, request: ReportRequest) => ({
    report: reportOf(request),
    now: now(),
    ...(await calendars.factsOf(asked.answer)),
    unreadable: (what: string) => client.failure(what),
    showsCreated: request.fields.some((id) => id.toLowerCase() === 'created'),
    statuses: learnt.met(),
  });

  return {
    client,
    learnt,
    worded,
    async list(request, asking, columns) {
      const { fields } = request;
      const isAsked = fields.some((id) => id.toLowerCase() === 'created');
      const whole = isAsked ? request : { ...request, fields: [...fields, 'created'] };
      const asked = await askFor(whole, asking);
      return { asked, table: readList(asked, await reading(asked, request), columns) };
    },
    async groups(request, asking, statistic) {
      const asked = await askFor({ ...request, fields: [] }, asking);
      return readGroups(asked, await reading(asked, request), statistic);
    },
    async blank(request) {
      const table = { header: {}, body: { rows: [] } };
      const answer = reportAnswer.parse({ ...askedFormats, timeZone: learnt.timeZone(), table });
      const asked = { answer, request, trim: request.trim, stoppedAt: null };
      const facts = await calendars.factsById(await calendars.idOf(request.calendar));
      return readList(asked, { ...(await reading(asked, request)), ...facts });
    },
  };
}
