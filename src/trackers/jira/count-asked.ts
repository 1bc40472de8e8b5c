import type { JiraClient } from './jira-client.ts';

/** A client that counts what is asked by way of it alone. */
export function countAsked(client: JiraClient): {
  readonly client: JiraClient;
  readonly asked: () => number;
} {
  let asked = 0;
  const counting: JiraClient = {
    kind: () => client.kind(),
    site: () => client.site(),
    ask(question, shape) {
      asked += 1;
      return client.ask(question, shape);
    },
    requests: () => client.requests(),
    close: () => client.close(),
  };
  return { client: counting, asked: () => asked };
}
