/** A metric as Prometheus knows it. A histogram has buckets. */
export interface Metric<Label extends string = string> {
  /**
   * A `gauge` is measured when the metrics are read, and absent where that fails; a `state` is a gauge that has the value
   * set last.
   */
  readonly type: 'counter' | 'histogram' | 'gauge' | 'state';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
  readonly buckets?: readonly number[];
}

type Facts<Label extends string> = readonly [name: string, help: string, ...labels: Label[]];

function counter<Label extends string>(...[name, help, ...labels]: Facts<Label>) {
  return { type: 'counter', name, help, labels } as const;
}

function gauge<Label extends string>(...[name, help, ...labels]: Facts<Label>) {
  return { type: 'gauge', name, help, labels } as const;
}

function state<Label extends string>(...[name, help, ...labels]: Facts<Label>) {
  return { type: 'state', name, help, labels } as const;
}

function histogram<Label extends string>(
  buckets: readonly number[],
  ...[name, help, ...labels]: Facts<Label>
) {
  return { type: 'histogram', name, help, labels, buckets } as const;
}

/** Seconds. Each bucket of a histogram is a series for each value of its labels. */
const ofAnswers = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ofCalls = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ofStatements = [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];
/** Slack waits for three seconds. */
const ofAcknowledgements = [0.1, 0.25, 0.5, 1, 2, 3, 5];
const ofLags = [5, 15, 30, 60, 120, 300, 900, 3600];

/** Every metric. Labels have few values: templates of routes and words of the program, never paths, keys or people. */
export const metrics = {
  buildInfo: gauge('dwell_build_info', 'Always 1; its labels say what runs.', 'version', 'node', 'engine'),
  ready: gauge('dwell_ready', '1 if /readyz is 200, else 0.'),
  postingPaused: gauge(
    'dwell_posting_paused',
    '1 while digests and alerts are paused after a restore.',
    'tenant',
  ),
  slackUp: gauge(
    'dwell_slack_up',
    '1 if Slack can be used, 0 while it refuses a token or is unreachable.',
    'tenant',
  ),
  backupAge: gauge(
    'dwell_backup_age_seconds',
    'Time since the latest verified backup; absent on PostgreSQL and before the first one.',
    'tenant',
  ),
  redisUp: gauge('dwell_redis_up', '1 if the Redis of KEYV_URL answers, else 0.'),

  httpRequests: counter(
    'dwell_http_requests_total',
    'Requests over HTTP, but for those of Slack, by the template of their route; none: no route.',
    ...(['tenant', 'route', 'method', 'status'] as const),
  ),
  httpDuration: histogram(
    ofAnswers,
    'dwell_http_request_duration_seconds',
    'Time from a request over HTTP to the end of its answer.',
    ...(['tenant', 'route', 'method'] as const),
  ),
  answerDuration: histogram(
    ofAnswers,
    'dwell_answer_duration_seconds',
    'Time of answers by door (http, mcp, slack, clock) and kind: a kind of question, report type, tool or kind of work; other: none.',
    ...(['tenant', 'door', 'kind'] as const),
  ),
  refused: counter(
    'dwell_refused_requests_total',
    'Requests refused by a limit (token, address, tenant) or under load (requests, reports).',
    ...(['tenant', 'why'] as const),
  ),
  slackAcknowledgements: histogram(
    ofAcknowledgements,
    'dwell_slack_acknowledgement_duration_seconds',
    'Time until Slack had its acknowledgement; it waits for three seconds.',
    ...(['tenant', 'trigger'] as const),
  ),

  queueItems: gauge('dwell_queue_items', 'Work that is due and not done, by queue.', 'tenant', 'queue'),
  queueAge: gauge(
    'dwell_queue_oldest_age_seconds',
    'How long the oldest of it has been due; 0: nothing is.',
    'tenant',
    'queue',
  ),
  exports: counter(
    'dwell_exports_total',
    'Queued exports that have ended: made, failed.',
    'tenant',
    'outcome',
  ),
  digests: counter(
    'dwell_digests_total',
    'Periods of digests that have ended: posted, late (posted more than five minutes late), silent, skipped, failed.',
    ...(['tenant', 'outcome'] as const),
  ),
  alerts: counter(
    'dwell_alerts_total',
    'Messages of watches to a person: posted, refused, later, unknown, failed.',
    ...(['tenant', 'outcome'] as const),
  ),

  syncAge: gauge(
    'dwell_sync_age_seconds',
    'Time since which changes of the tracker may be missing: that of the last successful check.',
    ...(['tenant', 'tracker'] as const),
  ),
  syncFailing: gauge(
    'dwell_sync_failing',
    '1 if the last check of the tracker failed, else 0.',
    'tenant',
    'tracker',
  ),
  syncFilled: gauge('dwell_sync_filled', '1 once the initial sync is done, else 0.', 'tenant', 'tracker'),
  syncLag: histogram(
    ofLags,
    'dwell_sync_lag_seconds',
    'Age of the newest change of a page of issues when it was stored, after the initial sync.',
    ...(['tenant', 'tracker'] as const),
  ),
  issues: state('dwell_issues', 'Stored issues of the tracker that is followed.', 'tenant', 'tracker'),
  cutHistories: state(
    'dwell_incomplete_histories',
    'Stored issues whose history is incomplete.',
    ...(['tenant', 'tracker'] as const),
  ),
  columnsRows: gauge(
    'dwell_columns_rows',
    'Issues in columns; absent until they are made.',
    'tenant',
    'tracker',
  ),
  columnsBytes: gauge(
    'dwell_columns_bytes',
    'Memory of columns and the histories in them.',
    'tenant',
    'tracker',
  ),

  calls: counter(
    'dwell_service_calls_total',
    'Tries of requests to other services by outcome: ok, client_error, rate_limited, server_error, no_answer.',
    ...(['tenant', 'service', 'endpoint', 'outcome'] as const),
  ),
  callDuration: histogram(
    ofCalls,
    'dwell_service_call_duration_seconds',
    'Time of such a try.',
    ...(['tenant', 'service'] as const),
  ),
  quota: state(
    'dwell_service_quota_remaining',
    'Requests that a service said it still takes; absent where it does not say.',
    ...(['tenant', 'service'] as const),
  ),

  statements: histogram(
    ofStatements,
    'dwell_store_statement_duration_seconds',
    'Time of statements of the database.',
  ),
  statementErrors: counter('dwell_store_statement_errors_total', 'Statements that failed.'),
  busy: counter(
    'dwell_store_retries_total',
    'Transactions that were tried again: busy (SQLite, another process writes), conflict (PostgreSQL), lost (the connection).',
    'reason',
  ),
  connections: gauge(
    'dwell_store_connections',
    'Connections to PostgreSQL: used, idle, and how many wait for one.',
    'state',
  ),

  loopDelay: gauge(
    'dwell_event_loop_delay_seconds',
    'Delay of the event loop since the metrics were last read: mean, p99, max.',
    'stat',
  ),
  loopActive: counter(
    'dwell_event_loop_active_seconds_total',
    'Time in which the event loop was busy; its rate is the utilization.',
  ),
  cpu: counter('process_cpu_seconds_total', 'Processor time of the process, threads included.'),
  startTime: gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970.'),
  resident: gauge('process_resident_memory_bytes', 'Resident memory of the process.'),
  heapUsed: gauge('nodejs_heap_size_used_bytes', 'Used heap of JavaScript.'),
  heapTotal: gauge('nodejs_heap_size_total_bytes', 'Heap of JavaScript.'),
  external: gauge('nodejs_external_memory_bytes', 'Memory of buffers and columns outside of the heap.'),
  memoryLimit: gauge(
    'dwell_memory_limit_bytes',
    "Memory that the process can have: its container's or the machine's.",
  ),
  diskFree: gauge('dwell_disk_free_bytes', 'Free space on the disk of DATA_DIR.'),
  diskSize: gauge('dwell_disk_size_bytes', 'Size of that disk.'),
} as const satisfies Readonly<Record<string, Metric>>;
