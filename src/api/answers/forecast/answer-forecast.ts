import type { Forecast } from './forecast-answer.ts';
import { forecastIssue } from './forecast-issue.ts';
import { type ForecastContext, forecastIssues } from './forecast-issues.ts';
import { type ForecastQuestion, onlyKey } from './forecast-question.ts';

/** Answers a question about one issue, or about many. */
export function answerForecast(question: ForecastQuestion, context: ForecastContext): Promise<Forecast> {
  const key = onlyKey(question);
  return key === null ? forecastIssues(question, context) : forecastIssue(question, key, context);
}
