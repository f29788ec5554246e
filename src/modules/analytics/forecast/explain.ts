import { epochDayOf } from './days.ts';
import type { StockPlan } from './plan-stock.ts';
import type { DemandForecast } from './types.ts';

export type ExplainedStock = { currentQty: number; nameEn: string; nameAr: string };
export type Explanation = { en: string; ar: string };

const WEEKDAYS_EN = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];
const WEEKDAYS_AR = ['الأحد', 'الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت'];
const MONTHS_EN = 'January February March April May June July August September October November December'.split(' ');
const MONTHS_AR = 'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر'.split(' ');

/** A weekday is worth a word when it sells a fourth more than a usual day. */
const NOTABLE_WEEKDAY = 1.25;

/** What a shopkeeper would say, in one sentence. */
export function explain(forecast: DemandForecast, plan: StockPlan, stock: ExplainedStock): Explanation {
  return { en: english(forecast, plan, stock), ar: arabic(forecast, plan, stock) };
}

function english(forecast: DemandForecast, plan: StockPlan, { currentQty, nameEn }: ExplainedStock): string {
  if (forecast.demandClass === 'too_little_history') {
    return `${nameEn} has too little sales history for a forecast yet; ${inStockEn(currentQty)}.`;
  }
  const daily = dailyDemand(forecast);
  if (daily < 0.01) return `${nameEn} hardly sells at present; ${inStockEn(currentQty)}.`;
  const weekday = notableWeekday(forecast);
  const pace = `${nameEn} sells ${paceEn(daily)}${weekday === undefined ? '' : `, most on ${WEEKDAYS_EN[weekday]}`}`;
  return `${pace}; ${coverEn(plan, currentQty)}${orderEn(forecast, plan)}.`;
}

function paceEn(daily: number): string {
  if (daily >= 0.75) return `about ${formatSpoken(daily)} a day`;
  const days = Math.round(1 / daily);
  return days <= 1 ? 'about 1 a day' : `about 1 every ${days} days`;
}

function inStockEn(currentQty: number): string {
  return currentQty > 0 ? `${formatExact(currentQty)} in stock` : 'none in stock';
}

function coverEn(plan: StockPlan, currentQty: number): string {
  if (!(currentQty > 0)) return 'none is in stock';
  if (plan.daysOfCover === null) return `the ${formatExact(currentQty)} in stock last more than a year`;
  const days = Math.round(plan.daysOfCover);
  const lasts = days === 0 ? 'may not last the day' : `last about ${days} ${days === 1 ? 'day' : 'days'}`;
  const risk =
    plan.coverP10Date !== null && plan.coverP10Date !== plan.coverP50Date
      ? ` and could run out on ${dateEn(plan.coverP10Date)}`
      : '';
  return `the ${formatExact(currentQty)} in stock ${lasts}${risk}`;
}

function orderEn({ firstDay }: DemandForecast, { suggestedOrderDate, suggestedOrderQty }: StockPlan): string {
  if (suggestedOrderDate === null || suggestedOrderQty === 0) return ', so no order is needed yet';
  const when = suggestedOrderDate === firstDay ? 'now' : `by ${dateEn(suggestedOrderDate)}`;
  return `, so order ${formatExact(suggestedOrderQty)} ${when}`;
}

function arabic(forecast: DemandForecast, plan: StockPlan, { currentQty, nameAr }: ExplainedStock): string {
  if (forecast.demandClass === 'too_little_history') {
    return `سجل مبيعات «${nameAr}» أقصر من أن يُبنى عليه توقع بعد؛ ${inStockAr(currentQty)}.`;
  }
  const daily = dailyDemand(forecast);
  if (daily < 0.01) return `«${nameAr}» يكاد لا يُباع حاليًا؛ ${inStockAr(currentQty)}.`;
  const weekday = notableWeekday(forecast);
  const pace = `يُباع من «${nameAr}» ${paceAr(daily)}${weekday === undefined ? '' : `، وأكثره يوم ${WEEKDAYS_AR[weekday]}`}`;
  return `${pace}؛ ${coverAr(plan, currentQty)}${orderAr(forecast, plan)}.`;
}

function paceAr(daily: number): string {
  if (daily >= 0.75) return `نحو ${piecesAr(spoken(daily))} يوميًا`;
  const days = Math.round(1 / daily);
  return days <= 1 ? 'نحو قطعة واحدة يوميًا' : `نحو قطعة واحدة كل ${daysAr(days)}`;
}

function inStockAr(currentQty: number): string {
  return currentQty > 0 ? `في المخزون ${piecesAr(currentQty, 'subject')}` : 'ولا يوجد منه شيء في المخزون';
}

function coverAr(plan: StockPlan, currentQty: number): string {
  if (!(currentQty > 0)) return 'ولا يوجد منه شيء في المخزون';
  const stock = `المخزون الحالي (${piecesAr(currentQty, 'subject')})`;
  if (plan.daysOfCover === null) return `${stock} يكفي لأكثر من سنة`;
  const days = Math.round(plan.daysOfCover);
  const lasts = days === 0 ? 'قد لا يكفي لليوم' : `يكفي نحو ${daysAr(days)}`;
  const risk =
    plan.coverP10Date !== null && plan.coverP10Date !== plan.coverP50Date
      ? ` وقد ينفد في ${dateAr(plan.coverP10Date)}`
      : '';
  return `${stock} ${lasts}${risk}`;
}

function orderAr({ firstDay }: DemandForecast, { suggestedOrderDate, suggestedOrderQty }: StockPlan): string {
  if (suggestedOrderDate === null || suggestedOrderQty === 0) return '، فلا حاجة إلى الطلب بعد';
  const when = suggestedOrderDate === firstDay ? 'الآن' : `في موعد أقصاه ${dateAr(suggestedOrderDate)}`;
  return `، فاطلب ${piecesAr(suggestedOrderQty)} ${when}`;
}

function dailyDemand({ mean, horizon }: DemandForecast): number {
  let sum = 0;
  for (let day = 0; day < horizon; day += 1) sum += mean[day] as number;
  return horizon > 0 ? sum / horizon : 0;
}

function notableWeekday({ weekdayProfile }: DemandForecast): number | undefined {
  let best = 0;
  for (let weekday = 1; weekday < 7; weekday += 1) {
    if ((weekdayProfile[weekday] as number) > (weekdayProfile[best] as number)) best = weekday;
  }
  return (weekdayProfile[best] as number) >= NOTABLE_WEEKDAY ? best : undefined;
}

type Case = 'object' | 'subject';

/** One and two are words of their own, 3 to 10 take the plural, the others the singular. */
function piecesAr(quantity: number, grammar: Case = 'object'): string {
  if (quantity === 1) return 'قطعة واحدة';
  if (quantity === 2) return grammar === 'subject' ? 'قطعتان' : 'قطعتين';
  return `${formatExact(quantity)} ${takesPlural(quantity) ? 'قطع' : 'قطعة'}`;
}

function daysAr(days: number): string {
  if (days === 1) return 'يوم واحد';
  if (days === 2) return 'يومين';
  if (takesPlural(days)) return `${days} أيام`;
  return `${days} ${days % 100 >= 11 ? 'يومًا' : 'يوم'}`;
}

function takesPlural(count: number): boolean {
  const rest = count % 100;
  return Number.isInteger(count) && rest >= 3 && rest <= 10;
}

/** Two figures that count: 47 is about 45, 1,234 about 1,200. */
function spoken(quantity: number): number {
  if (quantity < 20) return Math.round(quantity);
  if (quantity < 100) return Math.round(quantity / 5) * 5;
  const step = 10 ** (Math.floor(Math.log10(quantity)) - 1);
  return Math.round(quantity / step) * step;
}

function formatSpoken(quantity: number): string {
  return formatExact(spoken(quantity));
}

/** Western figures in both languages, as on the price tags of the region; no locale data, so no surprise. */
function formatExact(quantity: number): string {
  const [whole, fraction] = String(Math.round(quantity * 1000) / 1000).split('.');
  const grouped = (whole ?? '').replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function dateParts(date: string): { day: number; month: number } {
  const at = new Date(epochDayOf(date) * 86_400_000);
  return { day: at.getUTCDate(), month: at.getUTCMonth() };
}

function dateEn(date: string): string {
  const { day, month } = dateParts(date);
  return `${day} ${MONTHS_EN[month]}`;
}

function dateAr(date: string): string {
  const { day, month } = dateParts(date);
  return `${day} ${MONTHS_AR[month]}`;
}
