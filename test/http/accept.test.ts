import { expect, test } from '#jest';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const list = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration', pageSize: '2' };

const typeOf = async (accept: string, parameters: Record<string, string> = {}) => {
  const headers = { ...(await dwell.headerOf('ada')), Accept: accept };
  const {
    status,
    type,
    headers: got,
  } = await dwell.get('/rest/issues/v2', { ...list, ...parameters }, headers);
  expect(got.get('vary')).toContain('Accept');
  return [status, type];
};

const json = 'application/json; charset=utf-8';
const csv = 'text/csv; charset=utf-8';
const simplified = 'application/json; profile=simplified; charset=utf-8';

test.each([
  ['*/*', json],
  ['text/csv', csv],
  ['TEXT/CSV', csv],
  ['text/*', csv],
  ['application/json, text/plain, */*', json],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json],
  ['application/json;q=0.4, text/csv;q=0.7', csv],
  ['application/json;q=0.7, text/csv;q=0.4', json],
  ['text/csv;q=0, */*', json],
  ['application/json;q=0, */*;q=0.1', csv],
  ['application/json;profile=simplified', simplified],
  // Parameters that say nothing of the form, and types that a report does not have.
  ['application/json; charset=utf-8', json],
  ['text/csv;charset=utf-8;header=present', csv],
  ['application/json;odata=verbose;q=0.4, text/csv;charset=utf-8;q=0.7', csv],
  ['application/json; charset=utf-8; profile=simplified', simplified],
  ['text/plain', json],
  ['text/html, application/xml;q=0.9', json],
])('Accept: %s is answered as %s', async (accept, type) => {
  expect(await typeOf(accept)).toEqual([200, type]);
});

test('outputType says it more clearly than Accept', async () => {
  expect(await typeOf('text/csv', { outputType: 'json' })).toEqual([200, json]);
  expect(await typeOf('application/json', { outputType: 'CSV' })).toEqual([200, csv]);
  expect(await typeOf('application/xml', { outputType: 'jsonSimplified' })).toEqual([200, simplified]);
});

test('both spellings of outputType are described where a report or a file is asked for', async () => {
  const { json: document } = await dwell.get('/openapi.json', {}, {});
  for (const path of ['/rest/issue', '/rest/issues/weekly', '/rest/smallexport']) {
    const { parameters } = document.paths[path].get;
    const { schema } = parameters.find(({ name }: { name: string }) => name === 'outputType');
    expect(schema.enum).toEqual(expect.arrayContaining(['csv', 'CSV', 'json', 'JSON']));
  }
});
