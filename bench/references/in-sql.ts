/**
 * The questions in SQL. Tables: `issue` (id, project, type, priority, created, updated), `visit` (issue, status, start, finish) and
 * `span` (issue, person, start, finish), both ends known, `month` (start, finish), `work` (start, finish, before).
 */
interface InSql {
  readonly sqlite?: string;
  readonly duckdb?: string;
}

const perIssue = 'select issue, status, sum(finish - start) as total from visit group by issue, status';
const both = (sql: string): InSql => ({ sqlite: sql, duckdb: sql });

/** By the names that the suites give their questions; where one lacks, that engine is not asked. */
export const inSql: Readonly<Record<string, InSql>> = {
  'average per status': both(
    `select status, avg(total) from (${perIssue}) as t group by status order by status`,
  ),
  'average per status, business calendar': {
    // Two probes of an index for each visit; at a million issues that is minutes.
    sqlite: `select status, avg(total) from (
      select issue, status, sum(
        (select b.before + min(v.finish, b.finish) - b.start from work b where b.start <= v.finish order by b.start desc limit 1) -
        (select a.before + min(v.start, a.finish) - a.start from work a where a.start <= v.start order by a.start desc limit 1)
      ) as total from visit v group by issue, status) as t group by status order by status`,
    duckdb: `select status, avg(total) from (
      select issue, status, sum((b.before + least(v.finish, b.finish) - b.start) - (a.before + least(v.start, a.finish) - a.start)) as total
      from visit v asof join work a on v.start >= a.start asof join work b on v.finish >= b.start
      group by issue, status) as t group by status order by status`,
  },
  'average, median and deviation per status': {
    duckdb: `select status, avg(total), median(total), stddev_pop(total) from (${perIssue}) as t group by status order by status`,
  },
  '85th percentile per status': {
    duckdb: `select status, quantile_cont(total, 0.85) from (${perIssue}) as t group by status order by status`,
  },
  'average per status by issue type': both(
    `select type, status, avg(total) from (${perIssue}) as t join issue on issue.id = t.issue group by type, status order by type, status`,
  ),
  'average per month and status': both(
    `select m, status, avg(total) from (
      select issue, status, month.start as m, sum(min(visit.finish, month.finish) - max(visit.start, month.start)) as total
      from visit join month on visit.start < month.finish and visit.finish > month.start
      group by issue, status, month.start) as t group by m, status order by m, status`,
  ),
  'average per assignee and status': both(
    `select person, status, avg(total) from (
      select visit.issue as issue, status, person, sum(min(visit.finish, span.finish) - max(visit.start, span.start)) as total
      from visit join span on span.issue = visit.issue and visit.start < span.finish and visit.finish > span.start
      group by visit.issue, status, person) as t group by person, status order by person, status`,
  ),
  'average per assignee': both(
    `select person, avg(total) from (select issue, person, sum(finish - start) as total from span group by issue, person) as t
      group by person order by person`,
  ),
  'average, created in the last year': both(
    `select status, avg(total) from (
      select issue, status, sum(finish - start) as total from visit join issue on issue.id = visit.issue
      where created >= 1742252400000 group by issue, status) as t group by status order by status`,
  ),
  // An issue's label follows from its number.
  'average per status by labels': both(
    `select issue % 50 as label, status, avg(total) from (${perIssue}) as t group by label, status order by label, status`,
  ),
  'sixth page of everything': both('select id from issue order by created limit 100 offset 500'),
  'page by current fields': both(
    'select id from issue where project = 0 and priority in (1, 2) order by updated desc limit 100',
  ),
  'page by history': both(
    `select id from issue where id in (select issue from visit where status in (7, 8) and start < 1746057600000 and finish > 1743465600000)
      order by updated desc limit 100`,
  ),
  'page ordered by two fields': both('select id from issue order by priority, updated limit 100'),
};

/** DuckDB has other names for the smaller and the larger of two numbers than SQLite. */
export function forDuckdb(sql: string): string {
  return sql.replaceAll(/\bmin\((\w+\.)/g, 'least($1').replaceAll(/\bmax\((\w+\.)/g, 'greatest($1');
}
