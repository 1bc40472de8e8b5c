import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { caseWorld } from './case-world.ts';
import { aggregationBody, type StandInStatistics } from './stand-in-timepiece-aggregation.ts';
import {
  checkMetricSpelling,
  checkParameters,
  readIssues,
  type StandInMetricSpelling,
  type StandInParameters,
} from './stand-in-timepiece-asked.ts';
import { expandedBody } from './stand-in-timepiece-expanded.ts';
import { type StandInMetricColumns, withMetricColumns } from './stand-in-timepiece-frame.ts';
import { listBody } from './stand-in-timepiece-list.ts';
import { StandInRefusal } from './stand-in-timepiece-query.ts';
import { calendarList, savedSets } from './stand-in-timepiece-settings.ts';

/** What may be told about a stand-in, where the documents leave it open or the service has its limits. */
export interface TimepieceOptions extends Partial<StandInStatistics> {
  /** Of which end of a stay the one date of an expanded row is. */
  readonly expandedDates?: 'start' | 'end';
  /** What becomes of a query with a key that is no issue's. */
  readonly unknownKeys?: 'refused' | 'left out';
  /** How a holiday is written. */
  readonly holidays?: 'iso' | 'instance format';
  /** The calendar that is the default of the instance. */
  readonly defaultCalendar?: 'normalHours' | 'Office';
  readonly parameterSets?: 'reportSettings' | 'parameterSets';
  /** An aggregation of more issues than this takes too long. */
  readonly mostCondensed?: number;
  /** A page that is to hold more issues than this takes too long, however many there are. */
  readonly mostListed?: number;
  /** A page holds so many issues at most, whatever is asked for. */
  readonly pagesOf?: number;
  /** The columns between statuses: ids of their own under the metrics' names, ids that are the names, or others. */
  readonly metricColumns?: StandInMetricColumns;
  /** How a path that the service does not have is answered: by a page of the server, or as the service's own failures are. */
  readonly unknownPaths?: 'page' | 'refusal';
  /** Paths that are always answered with a failure of this status. */
  readonly refusing?: Readonly<Record<string, number>>;
  /** What stands in place of the date of a report. */
  readonly reportDate?: string;
  /** What becomes of parameters that no document names. */
  readonly unknownParameters?: 'ignored' | 'refused';
  /** Whether `dbsMetrics` are understood in both spellings of public clients, in that by `ids` alone, or in none. */
  readonly metricSpelling?: StandInMetricSpelling;
}

type ReportBody = ReturnType<typeof listBody> | ReturnType<typeof aggregationBody>;

/** What a server does in place of an answer; `goOn` answers as if nothing had been. */
type TimepieceFault = (response: ServerResponse, goOn: () => void) => void;

/** A request as it came; names of parameters are in lower case. */
interface TimepieceCall {
  readonly method: string;
  readonly path: string;
  readonly asked: StandInParameters;
}

/** What the stand-in lets in. */
export const timepieceToken = 'a.token.of.the.service';

/** A page of whatever is before or around the service. */
export function htmlPage(status: number, title: string): TimepieceFault {
  return (response) => {
    response
      .writeHead(status, { 'Content-Type': 'text/html;charset=UTF-8' })
      .end(`<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`);
  };
}

/** Turns of the event loop for which an aggregation is under way, so that a second one meets it. */
const TURNS = 25;

/** Starts a service on a loopback port that speaks as the live product does, and fails on demand. */
export async function startStandInTimepiece({
  expandedDates = 'start',
  unknownKeys = 'refused',
  holidays = 'iso',
  defaultCalendar = 'normalHours',
  parameterSets = 'parameterSets',
  mostCondensed = 1000,
  mostListed = 1000,
  pagesOf = 1000,
  allIssues = null,
  deviation = 'population',
  unknownPaths = 'page',
  refusing = {},
  reportDate,
  unknownParameters = 'ignored',
  metricColumns = 'titled',
  metricSpelling = 'either',
}: TimepieceOptions = {}) {
  const calls: TimepieceCall[] = [];
  const answered: number[] = [];
  const faults: TimepieceFault[] = [];
  const silent = { allIssues, deviation };
  let aggregating = false;
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', origin);
    const body = await text(request);
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    const sent = [...url.searchParams, ...(isForm ? new URLSearchParams(body) : [])];
    const asked = Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value]));
    const call = { method: request.method ?? '', path: url.pathname, asked };
    calls.push(call);
    // Its clock is that of the tests.
    response.sendDate = false;
    response.once('finish', () => void answered.push(response.statusCode));
    const goOn = () => void answer(request, response, call);
    const fault = faults.shift();
    if (fault === undefined) goOn();
    else fault(response, goOn);
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    call: TimepieceCall,
  ): Promise<void> {
    const token = request.headers.authorization?.replace(/^TISJWT /, '') ?? call.asked.tisjwt;
    try {
      if (token === undefined)
        refuse(response, 401, 'Unauthorized access', ['tisjwt is required for authentication.']);
      else if (token !== timepieceToken) refuse(response, 401, 'Unauthorized access', ['tisjwt is invalid.']);
      else {
        const status = refusing[call.path];
        if (status !== undefined) throw new StandInRefusal(status, 'This is refused.');
        if (unknownParameters === 'refused') checkParameters(call.asked);
        checkMetricSpelling(call.asked.dbsmetrics, metricSpelling);
        await route(response, call);
      }
    } catch (error) {
      if (!(error instanceof StandInRefusal)) throw error;
      refuse(response, error.status, error.message, null, error.more);
    }
  }

  async function route(response: ServerResponse, { method, path, asked }: TimepieceCall): Promise<void> {
    const issues = () => readIssues(asked, unknownKeys === 'left out');
    const told = (body: ReportBody) => {
      const isBetween = asked.columnsby?.toLowerCase() === 'durationbetweenstatuses';
      const dated = reportDate === undefined ? body : { ...body, reportDate };
      return isBetween ? withMetricColumns(dated, metricColumns) : dated;
    };
    switch (`${method} ${path}`) {
      case 'GET /rest/issue':
        return send(response, told(listBody(asked, [issueCalled(asked.issuekey)])));
      case 'GET /rest/issue/expanded':
        return send(response, expandedBody(asked, issueCalled(asked.issuekey), expandedDates));
      case 'GET /rest/list':
      case 'POST /rest/list': {
        const { part, start, size, total } = page(issues(), asked, Number(asked.startissueindex ?? 0));
        const frame = {
          startIssueIndex: start,
          endIssueIndex: start + part.length - 1,
          pageSize: size,
          total,
        };
        return send(response, { ...told(listBody(asked, part)), ...frame, query: asked.customjql ?? '' });
      }
      case 'GET /rest/list2':
      case 'POST /rest/list2': {
        const from = Number(Buffer.from(asked.nextpagetoken ?? '', 'base64url').toString() || 0);
        const { part, start, size, total } = page(issues(), asked, from);
        const next = start + part.length;
        const token = next < total ? { nextPageToken: Buffer.from(String(next)).toString('base64url') } : {};
        return send(response, { ...told(listBody(asked, part)), pageSize: size, ...token });
      }
      case 'GET /rest/aggregation':
      case 'POST /rest/aggregation': {
        if (aggregating) throw new StandInRefusal(429, 'Another aggregation of the user is running.');
        aggregating = true;
        try {
          for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
          const chosen = issues();
          if (chosen.length > mostCondensed) throw new StandInRefusal(408, 'The request took too long.');
          return send(response, told(aggregationBody(asked, chosen, silent)));
        } finally {
          aggregating = false;
        }
      }
      case 'GET /rest/calendar':
        return send(response, calendarList(holidays, defaultCalendar));
      case `GET /rest/calendar/${caseWorld.calendar.id}`:
        return send(response, calendarList(holidays, defaultCalendar)[1]);
      case `GET /rest/${parameterSets}`:
        return send(response, savedSets);
      case 'GET /rest/formatSettings':
        return send(response, { dateFormat: 'dd/MMM/yy', dateTimeFormat: 'dd/MMM/yy h:mm a' });
      default:
        if (unknownPaths === 'refusal') throw new StandInRefusal(404, 'The resource could not be found.');
        return htmlPage(404, 'Not Found')(response, () => {});
    }
  }

  function page<Item>(all: readonly Item[], { pagesize = '100' }: StandInParameters, start: number) {
    const size = Number(pagesize);
    if (!(size >= 1 && size <= 1000)) throw new StandInRefusal(400, 'pageSize must be between 1 and 1000.');
    const part = all.slice(start, start + Math.min(size, pagesOf));
    if (size > mostListed) throw new StandInRefusal(408, 'The request took too long.');
    return { part, start, size, total: all.length };
  }

  return {
    baseUrl: origin,
    calls,
    /** The status of every answer so far. */
    answered,
    /** Paths of the requests so far, each with its method. */
    paths: () => calls.map(({ method, path }) => `${method} ${path}`),
    /** The next requests are answered so, one after the other. */
    fail: (...next: TimepieceFault[]) => void faults.push(...next),
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function issueCalled(key = '') {
  const issue = caseWorld.issues.find((one) => one.key === key.toUpperCase());
  if (issue === undefined) {
    throw new StandInRefusal(404, 'Issue could not be found or you do not have permission to view it.');
  }
  return issue;
}

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json;charset=UTF-8' }).end(JSON.stringify(body));
}

/** A failure as the product words it. */
function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  messages: readonly string[] | null = null,
  more: Readonly<Record<string, string>> = {},
): void {
  const time = caseWorld.now.slice(0, 19).replace('T', ' ');
  response
    .writeHead(status, { 'Content-Type': 'application/json;charset=UTF-8' })
    .end(JSON.stringify({ status, message, messages, pluginVersion: '1.18.0.1', time, ...more }));
}
