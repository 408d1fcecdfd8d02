"""A second, independent model of money, in another language: random steps over HTTP, and after each what the service says is compared
with what is worked out here, in fractions, from everything that ever happened. Written from docs/money.md's sentences, not from the code.

Driven by tests/e2e/model.rs, which holds the service's clock and publishes products: this program writes `CLOCK <moment>` or
`PUBLISH <json>` to standard output and waits for a line back. Arguments: address, business, operator token, deploy token, seed, steps.
"""

import calendar
import http.client
import json
import random
import sys
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from math import floor

CENT = 10_000_000
METERS = {"a": "sum", "c": "count", "l": "last", "m": "max", "r": "time_weighted", "s": "time_weighted", "u": "unique"}
# The meter that a resource counts: nobody reports it, and no plan prices it before its second version.
SEATS = "r"
# The meters that credit pays for; none stands for all.
SCOPES = [None, None, None, ["a"], ["c", "l"], ["a", "s"], ["l", "m", "u"], ["s"]]
KINDS = ["included", "promo", "referral", "prepaid"]
PLANS = ["basic", "pro"]


def at(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def text_of(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def months_after(start, months):
    whole = start.month - 1 + months
    year, month = start.year + whole // 12, whole % 12 + 1
    return start.replace(year=year, month=month, day=min(start.day, calendar.monthrange(year, month)[1]))


def price(form, before, reached):
    """Exact nanodollars of the way of a quantity from one level to another."""
    def one(micros, per, units):
        return Fraction(micros * 1000) * units / per

    if form["kind"] == "linear":
        past = lambda units: max(Fraction(0), units - form["includedUnits"])
        return one(form["micros"], form["per"], past(reached) - past(before))
    if form["kind"] == "volume":
        tier = next(tier for tier in form["tiers"] if tier["upTo"] is None or reached <= tier["upTo"])
        return one(tier["micros"], tier["per"], reached - before)

    def graduated(units):
        total, start = Fraction(0), Fraction(0)
        for tier in form["tiers"]:
            end = units if tier["upTo"] is None else min(units, Fraction(tier["upTo"]))
            total += one(tier["micros"], tier["per"], max(Fraction(0), end - start))
            start = max(start, end)
        return total

    return graduated(reached) - graduated(before)


def level(how, charges):
    if how == "sum":
        return sum((charge["units"] for charge in charges), Fraction(0))
    if how == "count":
        return Fraction(len(charges))
    if how == "max":
        return max((charge["units"] for charge in charges), default=Fraction(0))
    if how == "last":
        newest = None
        for charge in charges:
            if newest is None or charge["at"] >= newest["at"]:
                newest = charge
        return newest["units"] if newest else Fraction(0)
    return Fraction(len({charge["key"] for charge in charges}))


class Bucket:
    def __init__(self, kind, nanos, expires, price=None, of_move=False, scope=None):
        self.kind, self.granted, self.left, self.used = kind, nanos, nanos, 0
        self.expires, self.price, self.of_move = expires, price, of_move
        self.scope = None if scope is None else frozenset(scope)
        self.state = "AVAILABLE" if nanos else "EXHAUSTED"
        self.listed = True

    def alive(self):
        return self.state in ("AVAILABLE", "EXHAUSTED")

    def note(self):
        if self.alive():
            self.state = "AVAILABLE" if self.left else "EXHAUSTED"
        if self.left:
            self.listed = True


class Period:
    def __init__(self, start, end, charged_from, pin, terms):
        self.start, self.end, self.planned_end, self.charged_from = start, end, end, charged_from
        self.pin = self.own = self.current = pin  # what was agreed to, what its fee is, and what the rest of it is paid at
        self.terms = terms  # of the plan's version at its end
        self.windows = []  # (terms, start, end, charges)
        self.receivable = self.fee_postings = self.given = 0
        self.before = 0  # what moves have made of its fee in the earlier periods that the fee is for
        self.paid, self.owed, self.unbilled = {}, 0, 0
        self.invoice = None
        self.free = False  # no fee is for it: a trial before a fee in advance or of a year, or the moment before
        self.of_fee, self.is_last = (start, end), True  # what its fee is for, and whether the next period has another one
        self.billed_before = False  # an earlier document has its fee
        self.due = None  # what its document has of fees, once that is settled
        self.most = None  # the subscription's own most, in cents, as it holds in the period
        self.until = start  # up to when levels have lasted

    def payers(self):
        """Who pays for its usage: what is owed, what each bucket paid, and what nobody pays."""
        return self.owed, {place: paid for place, paid in self.paid.items() if paid}, self.unbilled

    def spent(self):
        """What the fee counts towards the least and the most of the period: of a year's a twelfth of what the rest is paid at."""
        if self.free:
            return 0
        return self.own * CENT + self.fee_postings if self.of_fee == (self.start, self.planned_end) else self.current * CENT // 12

    def part_of_fee(self, cents, start, end):
        """The part of a fee that is for the charged time between two moments, of all that the fee is for; rounded down."""
        first, last = self.of_fee
        if self.free:
            return 0
        charged = self.charged_from if self.of_fee == (self.start, self.planned_end) else first
        start, end = max(start, charged), min(end, last)
        micros = lambda span: span // timedelta(microseconds=1)
        return floor(Fraction(cents * CENT * micros(end - start), micros(last - first))) if end > start else 0

    def rest_of_fee(self, cents, moment):
        """What the rest of the fee's time costs more or less. Every part is rounded down: no more comes back than the fee has come to."""
        come_to = self.own * CENT + self.before + self.fee_postings - self.given
        return max(self.part_of_fee(cents, moment, self.of_fee[1]), -come_to)

    def part(self, nanos, start, end):
        """The part of an amount for the whole period that is for the charged time between two moments, rounded down."""
        start, end = max(start, self.charged_from), min(end, self.planned_end)
        if end <= start:
            return 0
        micros = lambda span: span // timedelta(microseconds=1)
        return floor(Fraction(nanos * micros(end - start), micros(self.planned_end - self.start)))

    def fee(self, nanos):
        self.fee_postings += nanos
        self.receivable += nanos

    def rated(self):
        costs = [self.costs(meter) for meter in METERS]
        return [floor(sum((cost[place] for cost in costs), Fraction(0))) for place in range(len(self.windows))]

    def asked(self, scopes):
        """What credit may be asked to pay: of each set of meters that the same scopes name, rounded down in each window, and all."""
        named = {}
        for meter in METERS:
            key = frozenset(scope for scope in scopes if meter in scope)
            if key:
                named.setdefault(key, []).append(meter)
        costs = {meter: self.costs(meter) for meter in METERS}
        total = lambda meters, place: floor(sum((costs[meter][place] for meter in meters), Fraction(0)))
        places = range(len(self.windows))
        # In one order for one set of scopes, whatever was used.
        ranks = {scope: rank for rank, scope in enumerate(sorted(scopes, key=sorted))}
        parts = sorted(named.items(), key=lambda part: sorted(ranks[scope] for scope in part[0]))
        return Asked([(key, sum(total(meters, place) for place in places)) for key, meters in parts],
                     sum(total(METERS, place) for place in places))

    def costs(self, meter):
        """What a meter costs in each window. Windows on the same terms are as one; what other terms charged stays."""
        costs, start = [], 0
        for place, window in enumerate(self.windows):
            form = window["terms"]["prices"].get(meter)
            if place and form != self.windows[place - 1]["terms"]["prices"].get(meter):
                start = place
            # A level that lasts goes on in the windows behind its own.
            seen = self.windows[:place + 1] if METERS[meter] == "time_weighted" else [window]
            is_used = any(charge["meter"] == meter for one in seen for charge in one["charges"])
            if form is None or not is_used:
                costs.append(Fraction(0))
                continue
            way = price(form, self.level(meter, start), self.level(meter, place + 1))
            costs.append(max(Fraction(0), way) - sum(costs[start:]))
        return costs

    def level(self, meter, count):
        """What a meter has come to by the end of so many windows."""
        charges = [charge for window in self.windows[:count] for charge in window["charges"]]
        charges = [charge for charge in charges if charge["meter"] == meter and not charge["void"]]
        if METERS[meter] == "time_weighted":
            return self.weighted(charges, min(self.windows[count - 1]["end"], self.until)) if count else Fraction(0)
        return level(METERS[meter], charges)

    def weighted(self, charges, until):
        """Each level times how long it holds up to a moment, by the length of the period; of a trial by itself, of a month."""
        whole = months_after(self.start, 1) if self.free else self.planned_end
        sum, charges = Fraction(0), sorted(charges, key=lambda charge: charge["at"])
        for place, charge in enumerate(charges):
            following = charges[place + 1]["at"] if place + 1 < len(charges) else until
            start, end = max(charge["at"], self.start), min(following, until)
            sum += charge["units"] * max(0, (end - start) // timedelta(microseconds=1))
        return sum / ((whole - self.start) // timedelta(microseconds=1))

    def newest(self, meter):
        """The level of a meter that lasts, and since when."""
        found = None
        for charge in (charge for window in self.windows for charge in window["charges"]):
            if charge["meter"] == meter and not charge["void"] and (found is None or charge["at"] >= found["at"]):
                found = charge
        return found

    def held(self):
        """The levels that were set, also to nothing: what set one to that may be taken out later."""
        newest = [self.newest(meter) for meter in METERS if METERS[meter] == "time_weighted"]
        return [charge for charge in newest if charge]


class Asked:
    """What credit is asked to pay of a period's usage: of parts, each with the scopes that name it, and of the rest."""

    def __init__(self, parts, rated):
        self.parts, self.rated = parts, rated

    def of(self, rated):
        """What is asked of each part, and of the rest, where all comes to so much."""
        left, asked = max(0, rated), []
        for _, nanos in self.parts:
            asked.append(min(max(0, nanos), left))
            left -= asked[-1]
        return asked + [left]

    def pays(self, scope, part):
        return scope is None or (part < len(self.parts) and scope in self.parts[part][0])

    def flow(self, asked, caps):
        """How much credit can pay of what is asked: the largest flow from (scope, money) pairs to parts, along ever new paths."""
        caps, asked = [[scope, money] for scope, money in caps], list(asked)
        paid = [[0] * len(asked) for _ in caps]
        total = 0
        while True:
            # From any credit with money left over parts that it may pay, and back over what others pay for those.
            before = {("credit", place): None for place, (_, money) in enumerate(caps) if money > 0}
            line, found = list(before), None
            while line and found is None:
                kind, place = line.pop(0)
                if kind == "credit":
                    steps = [("part", part) for part in range(len(asked)) if self.pays(caps[place][0], part)]
                else:
                    if asked[place] > 0:
                        found = place
                        break
                    steps = [("credit", other) for other in range(len(caps)) if paid[other][place] > 0]
                for step in steps:
                    if step not in before:
                        before[step] = (kind, place)
                        line.append(step)
            if found is None:
                return total
            path, node = [], ("part", found)
            while node is not None:
                path.append(node)
                node = before[node]
            path.reverse()
            backs = [paid[path[at + 1][1]][path[at][1]] for at in range(1, len(path) - 1, 2)]
            amount = min([caps[path[0][1]][1], asked[found]] + backs)
            for at in range(0, len(path) - 1, 2):
                paid[path[at][1]][path[at + 1][1]] += amount
            for at in range(1, len(path) - 1, 2):
                paid[path[at + 1][1]][path[at][1]] -= amount
            caps[path[0][1]][1] -= amount
            asked[found] -= amount
            total += amount

    def each(self, asked, caps):
        """What each pays, where those before it pay as much as they can."""
        sums = [self.flow(asked, caps[:count]) for count in range(len(caps) + 1)]
        return [after - before for before, after in zip(sums, sums[1:])]

    def covered(self, asked, caps):
        """Which parts are paid for: as much as can be of the last, which credit for all pays alone, then of the one before it."""
        sums = [self.flow([nanos if place >= first else 0 for place, nanos in enumerate(asked)], caps) for first in range(len(asked) + 1)]
        return [before - after for before, after in zip(sums, sums[1:])]


class Sub:
    def __init__(self, world, sid, subject, plan, now, had_trial, had_promo, had_intro, number, most):
        self.world, self.id, self.subject, self.plan, self.start = world, sid, subject, plan, now
        self.terms = terms = world.plans[plan]
        self.trial_end = now + timedelta(days=terms["trial"]) if terms["trial"] and not had_trial else None
        self.gave_promo = had_promo or any(g["kind"] == "promo" and not g["recurs"] for g in terms["grants"])
        self.pin, self.next_pin = terms["fee"], None
        # The first fees, once for a subject: how much, and how many are left.
        self.intro = list(terms["intro"]) if terms["intro"] and not had_intro else None
        self.served_since = now
        self.buckets, self.periods, self.planned = [], [], None
        self.cancel_at = self.ended = None
        self.number, self.most = number, most
        # Where the periods are counted from: with a fee in advance, or of a year, a trial is a period of its own; and so is the moment before
        # a fee in advance.
        self.anchor, self.first = now, 0
        is_apart = terms["advance"] or (terms["months"] > 1 and self.trial_end is not None)
        if is_apart:
            self.anchor, self.first = self.trial_end or now, 1
            before = Period(now, self.anchor, self.anchor, self.pin, terms)
            before.free, before.most = True, most
            self.periods.append(before)
        if not is_apart or not self.trial_end:
            self.begin(now)
        self.grant(now, lambda grant: grant["recurs"] or grant["kind"] != "promo" or not had_promo)

    @property
    def open(self):
        return self.periods[-1]

    def begin(self, now):
        for bucket in self.buckets:
            bucket.listed = bucket.left != 0
        count, months = len(self.periods), self.terms["months"]
        place = (count - self.first) % months
        before = self.open if self.periods else None
        if before:
            before.due = self.fees_due()
            if place == 0:
                self.pin, self.next_pin = self.pin if self.next_pin is None else self.next_pin, None
        start, end = self.starts(count), self.starts(count + 1)
        charged = min(max(self.trial_end or start, start), end)
        self.periods.append(Period(start, end, charged, self.pin, self.terms))
        period = self.open
        period.most = self.most
        period.of_fee = (self.starts(count - place), self.starts(count - place + months))
        period.is_last = place + 1 == months
        if place > 0:
            # A month of a fee that goes on.
            period.billed_before, period.own, period.current = before.billed_before, before.own, before.current
            period.before = before.before + before.fee_postings - before.given
        else:
            period.billed_before = count > 0 and self.terms["advance"]
            if charged < end:
                period.own = period.current = self.beginning(self.pin)
                if self.intro:
                    self.intro[1] = max(0, self.intro[1] - 1)
        if months == 1:
            span = lambda a, b: (b - a) // timedelta(microseconds=1)
            period.fee(floor(Fraction(-period.own * CENT * span(start, charged), span(start, end))))

    def beginning(self, fee):
        """The next fee: an introductory one while some are left."""
        return min(fee, self.intro[0]) if self.intro and self.intro[1] else fee

    def starts(self, count):
        return months_after(self.anchor, count - self.first)

    def fees_due(self):
        """What the open period's document has of fees: its own where no earlier one had it, and the next where that comes in advance."""
        period = self.open
        if period.due is not None:
            return period.due
        ends = self.cancel_at is not None and self.cancel_at <= period.end
        own = 0 if period.free or period.billed_before or not (period.is_last or ends) else period.own
        if ends or not period.is_last:
            return own
        if self.planned and self.planned["due"] <= period.end:
            new = self.planned["terms"]
            fee = self.beginning(new["fee"]) if self.planned["plan"] == self.plan else new["fee"]
            return own + (fee if new["advance"] else 0)
        next_pin = self.pin if self.next_pin is None else self.next_pin
        return own + (self.beginning(next_pin) if self.terms["advance"] else 0)

    def renewal(self):
        """First moment after what the open period's fee is for."""
        return self.open.planned_end if self.open.free else self.open.of_fee[1]

    def grant(self, now, wanted):
        for grant in self.terms["grants"]:
            if wanted(grant):
                ends = [self.starts(len(self.periods) + grant["kept"])] if grant["recurs"] else []
                if grant["days"]:
                    ends.append(now + timedelta(days=grant["days"]))
                self.buckets.append(Bucket(grant["kind"], grant["cents"] * CENT, min(ends) if ends else None, scope=grant["meters"]))

    def settle(self, now):
        while self.ended is None:
            events = [(bucket.expires, 1) for bucket in self.buckets if bucket.alive() and bucket.listed and bucket.expires]
            if self.cancel_at:
                events.append((self.cancel_at, 2))
            if self.planned:
                events.append((self.planned["due"], 3))
            events.append((self.open.end, 4))
            moment, what = min(events)
            if moment > now:
                return self.hold(now, now)
            self.hold(moment, moment - timedelta(microseconds=1))
            if what == 1:
                for bucket in self.buckets:
                    if bucket.alive() and bucket.listed and bucket.expires and bucket.expires <= moment:
                        bucket.left, bucket.state = 0, "EXPIRED"
            elif what == 2:
                self.end(moment, False)
            elif what == 3:
                self.move(moment)
            else:
                held = self.open.held()
                self.begin(moment)
                self.grant(moment, lambda grant: grant["recurs"])
                for level in (level for level in held if level["units"]):
                    self.window(moment)["charges"].append(dict(level, id=None))
                if self.served_since == moment:
                    # It was moved as the period before ended.
                    for meter in self.terms["counts"]:
                        self.count(meter, self.world.seats.get(self.subject, 0), moment)

    def hold(self, until, paid_at):
        """Levels last up to a moment; who pays is who could then. Past a bound it is not billed, since time can't be refused."""
        period, before = self.open, self.asked(self.open)
        period.until = max(period.until, min(until, period.end))
        self.change(period, before, self.bound(period, self.terms), paid_at)

    def count(self, meter, number, now):
        """There are so many of a resource from now on. By itself it costs nothing: only time does."""
        period = self.open
        newest = period.newest(meter)
        if meter not in self.terms["counts"] or now >= period.end or number == (newest["units"] if newest else 0):
            return
        charge = {"id": None, "meter": meter, "units": Fraction(number), "key": None, "at": now, "void": False}
        self.window(now, now)["charges"].append(charge)

    def end(self, moment, prorate):
        period = self.open
        period.due = 0 if period.free or period.billed_before else period.own
        is_month = period.free or period.of_fee == (period.start, period.planned_end)
        if prorate or moment <= (period.charged_from if is_month else period.of_fee[0]):
            period.fee(period.rest_of_fee(-period.current, moment))
            for bucket in self.buckets:
                if bucket.of_move and bucket.alive():
                    period.fee(-bucket.left)
                    bucket.left, bucket.state = 0, "REVOKED"
        for window in period.windows:
            window["end"] = min(window["end"], moment)
        period.end = self.ended = moment
        self.planned = None

    def move(self, moment):
        planned, self.planned = self.planned, None
        period, new, renewal = self.open, planned["terms"], self.renewal()
        goes_on = planned["plan"] == self.plan
        if self.intro and not goes_on:
            self.intro[1] = 0  # it is of the plan that one began on
        opaque = self.terms["opaque"] or new["opaque"]
        for window in period.windows:
            window["end"] = min(window["end"], moment)
        self.plan, self.terms, self.served_since = planned["plan"], new, moment
        if not planned["keeps_fee"]:
            self.next_pin = new["fee"]
        if moment < period.end:
            period.terms = new
            if period.held():
                self.window(moment)
            for meter in new["counts"]:
                self.count(meter, self.world.seats.get(self.subject, 0), moment)
        if moment >= renewal or planned["keeps_fee"] or planned["proration"] == "none":
            return
        # An introductory fee goes on on the plan that it is of.
        rest = min(new["fee"], period.own) if goes_on and period.own != period.pin else new["fee"]
        difference = period.rest_of_fee(rest - period.current, moment)
        period.current = rest
        if planned["proration"] == "credit" and difference < 0 and not opaque:
            period.given -= difference
            self.buckets.append(Bucket("promo", -difference, None, of_move=True))
        else:
            period.fee(difference)

    # Who pays.

    def own(self, period):
        return period.owed + sum(paid for place, paid in period.paid.items() if self.buckets[place].kind == "prepaid")

    def order(self, now):
        """All buckets in the order in which they pay, those that have ended behind the others, and how many have not."""
        has_ended = lambda bucket: not bucket.alive() or (bucket.expires is not None and bucket.expires <= now)
        far = datetime.max.replace(tzinfo=timezone.utc)

        def rank(place):
            bucket = self.buckets[place]
            return (has_ended(bucket), bucket.expires or far, bucket.scope is None, KINDS.index(bucket.kind), place)

        return sorted(range(len(self.buckets)), key=rank), sum(not has_ended(bucket) for bucket in self.buckets)

    def asked(self, period):
        """What credit is asked to pay of a period; in the open one by what is listed."""
        listed = [bucket for bucket in self.buckets if period is not self.open or bucket.listed]
        return period.asked({bucket.scope for bucket in listed if bucket.scope is not None})

    def bound(self, period, terms):
        """What usage may cost the subscriber; the lower one of the plan's most and the own one counts. What a plan refuses stays refused."""
        if terms["block"] and terms["most"] is None:
            return 0
        mosts = [most for most in (terms["most"], period.most) if most is not None]
        return max(0, min(mosts) * CENT - period.spent()) if mosts else None

    def bought(self, period):
        return self.own(period) - period.owed

    def change(self, period, without, bound, now, refuses=False):
        """Moves what usage is worth more or less than it was. Returns what is waived."""
        asked = self.asked(period)
        order, living = self.order(now)
        before, after = without.of(without.rated), asked.of(asked.rated)
        lower = [min(pair) for pair in zip(before, after)]
        rises = [max(0, new - old) for old, new in zip(before, after)]
        funded, bought = sum(period.paid.values()), self.bought(period)
        scope = lambda place: self.buckets[place].scope
        # Living credit takes back what it paid for usage that is no more and can't pay for something else.
        paid = [(scope(place), period.paid.get(place, 0)) for place in order]
        stays = without.each(lower, paid)
        for place, (_, was), stay in list(zip(order, paid, stays))[:living]:
            self.buckets[place].left += was - stay
            self.pay(period, place, stay - was)
        # A rise is paid from what is kept, then from credit: each as far as it can, whatever the others pay for then.
        caps = [[scope(place), stay] for place, stay in zip(order, stays)]
        open_parts = [covered + rise for covered, rise in zip(without.covered(lower, caps), rises)]
        kept = max(0, -period.unbilled)
        left = sum(rises) - max(0, kept - max(0, -without.rated))
        for at, place in enumerate(order[:living]):
            money = max(0, min(self.buckets[place].left, left))
            if money:
                was = without.flow(open_parts, caps)
                stay = caps[at][1]
                caps[at][1] = stay + money
                amount = without.flow(open_parts, caps) - was
                caps[at][1] = stay + amount
                self.buckets[place].left -= amount
                self.pay(period, place, amount)
                left -= amount
        rest = asked.rated - without.rated - (sum(period.paid.values()) - funded)
        return self.pay_rest(period, rest, self.bought(period) - bought, bound, refuses, order[:living])

    def pay_rest(self, period, rest, spent, bound, refuses, living):
        """What no credit pays is owed, or waived past the bound; a fall undoes that in reverse. Bought credit has just paid `spent` more."""
        room = None if bound is None else bound - self.own(period)
        owed, waived, taken = 0, 0, 0
        if rest >= 0:
            kept = min(max(0, -period.unbilled), rest)
            period.unbilled += kept
            unpaid = rest - kept
            # Past a most that waives, what was owed makes room for what bought credit pays.
            lowest = 0 if refuses else -min(max(0, spent), max(0, period.owed))
            owed = unpaid if room is None else min(unpaid, max(lowest, room))
            waived = unpaid - owed
        else:
            waived = -min(-rest, max(0, period.unbilled))
            owed = -min(-rest + waived, period.owed)
            taken = -(owed + waived)
        if room is not None and not refuses:
            more = 0
            if spent < 0:
                # Bought credit that came back leaves room for what was waived.
                more = min(max(0, room - owed), -spent, max(0, period.unbilled + waived))
            elif rest < 0:
                more = -min(max(0, owed - room), spent, period.owed + owed)
            owed, waived = owed + more, waived - more
        period.owed += owed
        period.receivable += owed
        period.unbilled += waived
        if rest < 0:
            back = -rest - taken
            for place in reversed(living):
                amount = min(back, period.paid.get(place, 0))
                self.buckets[place].left += amount
                self.pay(period, place, -amount)
                back -= amount
            period.unbilled -= back
        return max(0, waived)

    def pay(self, period, place, amount):
        if amount:
            self.buckets[place].used += amount
            period.paid[place] = period.paid.get(place, 0) + amount
        self.buckets[place].note()

    def window(self, now, start=None):
        """The open window; where there is none, one from `start` on, or from when on the terms hold."""
        period = self.open
        for window in reversed(period.windows):
            if window["terms"] is self.terms and (window["end"] > now or window["end"] == period.end):
                return window
        window = {"terms": self.terms, "start": start or max(period.start, self.served_since), "end": period.end, "charges": []}
        period.windows.append(window)
        return window

    def admit(self, item, now):
        """Whether the plan lets the item in."""
        period = self.open
        window_count, before = len(period.windows), self.asked(period)
        charge = dict(item, at=min(item["at"], now), void=False, admitted=len(self.periods) - 1)
        held = period.newest(charge["meter"])
        raises = METERS[charge["meter"]] == "time_weighted" and charge["units"] > (held["units"] if held else 0)
        raises = raises and (held is None or charge["at"] >= held["at"])
        window = self.window(now)
        window["charges"].append(charge)
        state = (dict(period.paid), period.owed, period.unbilled, period.receivable,
                 [(bucket.left, bucket.used, bucket.state, bucket.listed) for bucket in self.buckets])
        refuses = self.terms["block"]
        waived = self.change(period, before, self.bound(period, self.terms), now, refuses)
        if refuses and not waived and raises:
            # What levels come to by the end of the period must be payable now.
            kept, before = (period.until, dict(period.paid), period.owed, period.unbilled, period.receivable), self.asked(period)
            buckets = [(bucket.left, bucket.used, bucket.state, bucket.listed) for bucket in self.buckets]
            period.until = period.end
            waived = self.change(period, before, self.bound(period, self.terms), now, True)
            period.until, period.paid, period.owed, period.unbilled, period.receivable = kept
            for bucket, was in zip(self.buckets, buckets):
                bucket.left, bucket.used, bucket.state, bucket.listed = was
        if waived and refuses:
            window["charges"].pop()
            del period.windows[window_count:]
            period.paid, period.owed, period.unbilled, period.receivable, buckets = state
            for bucket, kept in zip(self.buckets, buckets):
                bucket.left, bucket.used, bucket.state, bucket.listed = kept
            return False
        self.world.items[(self.subject, item["id"])] = (self, len(self.periods) - 1)
        return True

    def void(self, place, item, now):
        period = self.periods[place]
        before, receivable, payers = self.asked(period), period.receivable, period.payers()
        for window in period.windows:
            for charge in window["charges"]:
                if charge["id"] == item:
                    charge["void"] = True
        last = period.windows[-1]["terms"]
        self.change(period, before, self.bound(period, last), now)
        # Who pays may change where what usage comes to does not.
        if period.invoice is not None and period.payers() != payers:
            moved, period.receivable = period.receivable - receivable, receivable
            self.note(now)
            self.open.receivable += moved
            self.finish_note()

    def correct(self, nanos, now):
        self.note(now)
        self.open.receivable += nanos
        self.finish_note()

    def note(self, now):
        """After the end, when all is closed, what is put right is a document of its own."""
        if self.open.invoice is not None:
            for bucket in self.buckets:
                bucket.listed = bucket.left != 0
            self.periods.append(Period(now, now, now, 0, self.terms))
            self.open.due = 0

    def finish_note(self):
        if self.ended and self.open.start == self.open.planned_end:
            self.world.close_one(self, len(self.periods) - 1)

    # Documents.

    def true_up(self, period):
        least = period.part((period.terms["least"] or 0) * CENT, period.charged_from, period.end)
        return max(0, least - period.spent() - self.own(period)) if least else 0

    def document(self, place, carried=0):
        period = self.periods[place]
        due = period.due if period is not self.open else self.fees_due()
        receivable = period.receivable + carried + (due - period.pin) * CENT
        up = self.true_up(period)
        usage = receivable // CENT
        total = period.pin + (receivable + up) // CENT
        carry = min(0, total) if place + 1 < len(self.periods) else 0
        return {"fee": period.pin, "usage": usage, "trueUp": (receivable + up) // CENT - usage, "total": total - carry,
                "carried": carry, "rounding": (receivable + up) % CENT}

    def preview(self):
        period = self.open
        shown = [bucket for bucket in self.buckets if bucket.listed]
        answer = {"currency": "usd", "recurringFeeCents": period.pin}
        if self.terms["opaque"]:
            answer["disclosure"] = "opaque"
            answer["allowances"] = [{"kind": bucket.kind, "state": bucket.state} for bucket in shown]
            return answer
        rated = period.rated()
        funded = sum(period.paid.values())
        assert sum(rated) == funded + period.owed + period.unbilled, "the identity"
        answer["disclosure"] = "transparent"
        answer["windows"] = [
            {"windowStart": text_of(window["start"]), "windowEnd": text_of(window["end"]), "ratedNanos": str(nanos),
             "chargeCount": sum(not charge["void"] and charge["id"] is not None for charge in window["charges"])}
            for window, nanos in zip(period.windows, rated)]
        owed = period.receivable + (self.fees_due() - period.pin) * CENT + self.true_up(period)
        answer["totals"] = {"ratedNanos": str(sum(rated)), "fundedNanos": str(funded), "receivableNanos": str(owed)}
        answer["allowances"] = [
            {"kind": bucket.kind, "state": bucket.state, "remainingNanos": str(bucket.left), "heldNanos": "0",
             "consumedNanos": str(bucket.used)} for bucket in shown]
        return answer


class World:
    def __init__(self, address, business, operator, deploy, seed):
        self.http = http.client.HTTPConnection(*address.split(":"))
        self.base, self.operator, self.deploy = f"/v1/businesses/{business}", operator, deploy
        self.business, self.chance = business, random.Random(seed)
        self.now = at("2026-01-31T12:00:00Z")
        self.plans, self.subs, self.items, self.refunded, self.sent = {}, [], {}, set(), {}
        self.tokens, self.next, self.counts, self.given = {}, 0, {}, []
        self.seats, self.added = {}, False
        self.tell("CLOCK", text_of(self.now))
        self.publish()

    # Speaking with the service.

    def tell(self, what, body):
        print(what, body, flush=True)
        assert sys.stdin.readline().strip() == "OK"

    def call(self, method, path, body=None, token=None, wanted=(200, 201)):
        payload = None if body is None else json.dumps(body)
        headers = {"authorization": f"Bearer {token or self.operator}", "content-type": "application/json"}
        self.http.request(method, path, payload, headers)
        answer = self.http.getresponse()
        content = json.loads(answer.read() or b"null")
        assert answer.status in wanted, (method, path, body, answer.status, content)
        return answer.status, content

    # Steps.

    def publish(self):
        """One product for the whole run; its plans differ in everything that money depends on but in how long a fee is for."""
        chance = self.chance
        months = chance.choice([1, 1, 1, 12])

        def days():
            return chance.choice([None, chance.randint(1, 40)])

        for plan in PLANS:
            fee = chance.randint(0, 20) * 1000
            self.plans[plan] = {
                "months": months, "counts": [],
                "fee": fee, "intro": (chance.randint(0, fee - 1), chance.randint(1, 3)) if fee and chance.random() < 0.4 else None,
                "advance": chance.random() < 0.5,
                "prices": {meter: self.form() for meter in METERS if meter != SEATS and chance.random() < 0.8},
                "trial": chance.choice([0, 0, 14, 40]), "opaque": chance.random() < 0.2, "block": chance.random() < 0.2,
                "least": chance.choice([None, None, 0, chance.randint(1, 9000)]),
                "most": chance.choice([None, None, fee + chance.randint(0, 500)]),
                "grants": [{"kind": chance.choice(KINDS), "cents": chance.randint(0, 300), "recurs": chance.random() < 0.5, "days": days(),
                            "kept": chance.choice([0, 0, 1, 2]), "meters": chance.choice(SCOPES)} for _ in range(chance.randint(0, 3))],
                "pack": (chance.randint(0, 300), chance.randint(0, 300), days(), chance.choice(SCOPES)),
                "open": (chance.choice([0, 1, 550, 333, 10_000]), days(), chance.choice(SCOPES)),
            }
        # A move leaves some prices as they are.
        for meter, form in self.plans["basic"]["prices"].items():
            if chance.random() < 0.3:
                self.plans["pro"]["prices"][meter] = form
        self.tell("PUBLISH", json.dumps(self.plans))

    def add(self, subject, sub):
        """A second version of both plans, which prices the seats too and has another fee for who comes. It reaches all others without one."""
        if not self.added:
            self.added = True
            for plan, terms in self.plans.items():
                fee = terms["fee"] + self.chance.choice([0, 1, 500])
                self.plans[plan] = dict(terms, fee=fee, prices=dict(terms["prices"], **{SEATS: self.form()}), counts=[SEATS])
            self.tell("PUBLISH", json.dumps(self.plans))
            return
        plan = self.chance.choice(PLANS)
        moving = [sub for sub in (self.live(subject) for subject in ["ada", "bea"])
                  if sub and sub.plan == plan and sub.terms is not self.plans[plan] and not sub.planned]
        body = {"from": "any", "to": "head", "policy": "additions"}
        _, answer = self.call("POST", f"{self.base}/plans/{plan}/migrations", body)
        assert len(answer["moves"]) == len(moving), (answer, moving)
        for sub in moving:
            sub.planned = {"plan": plan, "terms": self.plans[plan], "due": self.now, "proration": "none", "keeps_fee": True}
            sub.settle(self.now)

    def seat(self, subject, sub):
        """The operator says how many seats there are."""
        number = self.chance.choice([0, 1, 2, 5, 40])
        self.seats[subject] = number
        self.call("PUT", f"{self.base}/resource-counts", {"subject": subject, "resource": SEATS, "count": number}, self.deploy)
        if sub:
            sub.count(SEATS, number, self.now)

    def form(self):
        chance = self.chance
        micros, per = chance.choice([0, 1, 2, 7, 1000, 150_000]), chance.choice([1, 1, 3, 7, 1000])
        end = chance.randint(1, 20)
        tiers = [{"upTo": end, "micros": micros, "per": per}, {"upTo": end * 3, "micros": micros // 2, "per": per},
                 {"upTo": None, "micros": micros // 3, "per": 1}]
        return chance.choice([
            {"kind": "linear", "micros": micros, "per": per, "includedUnits": chance.choice([0, 0, 1, 10])},
            {"kind": "graduated", "tiers": tiers}, {"kind": "volume", "tiers": tiers}])

    def live(self, subject):
        for sub in self.subs:
            sub.settle(self.now)
        return next((sub for sub in reversed(self.subs) if sub.subject == subject and not sub.ended), None)

    def step(self):
        subject = self.chance.choice(["ada", "bea"])
        steps = [("pass", 5), ("use", 12), ("credit", 2), ("buy", 1), ("refund", 3), ("correct", 1), ("cancel", 1), ("resume", 1),
                 ("change", 2), ("close", 1), ("revoke", 1), ("again", 1), ("limit", 2), ("add", 1), ("seat", 3)]
        what = self.chance.choices([name for name, _ in steps], [weight for _, weight in steps])[0]
        sub = self.live(subject)
        if sub is None and self.chance.random() < 0.7:
            what, sub = "subscribe", self.subscribe(subject)
        else:
            getattr(self, what)(subject, sub)
        self.counts[what] = self.counts.get(what, 0) + 1
        self.compare(subject)

    def subscribe(self, subject):
        plan = self.chance.choice(PLANS)
        earlier = [sub for sub in self.subs if sub.subject == subject]
        body, most = {"subject": subject, "plan": plan}, self.own_most(plan)
        if most is not None:
            body["maxMonthlySpendCents"] = most
        status, made = self.call("POST", f"{self.base}/subscriptions", body, wanted=(201, 422))
        assert (status == 201) == self.allows(plan, most), (plan, most, made)
        if status == 422:
            return None
        sub = Sub(self, made["subscriptionId"], subject, plan, self.now, any(s.trial_end for s in earlier),
                  any(s.gave_promo for s in earlier), any(s.intro for s in earlier), len(self.subs), most)
        if sub.periods[0].start == sub.periods[0].planned_end:
            self.close_one(sub, 0)
        for old in earlier:
            for bucket in old.buckets:
                if bucket.kind == "prepaid" and bucket.state == "AVAILABLE":
                    sub.buckets.append(Bucket("prepaid", bucket.left, bucket.expires, scope=bucket.scope))
                    bucket.left, bucket.state = 0, "REVOKED"
        for meter in sub.terms["counts"]:
            sub.count(meter, self.seats.get(subject, 0), self.now)
        self.subs.append(sub)
        if subject not in self.tokens:
            self.tokens[subject] = self.call("POST", f"{self.base}/tokens", {"kind": "portal", "subject": subject})[1]["token"]
        return sub

    def move_clock(self, moment):
        self.now = max(self.now, moment)
        self.tell("CLOCK", text_of(self.now))

    def __getattr__(self, name):
        if name == "pass":
            return self.pass_time
        raise AttributeError(name)

    def pass_time(self, subject, sub):
        seconds = self.chance.choice([2, 3600, 86_400 * 3, 86_400 * 20, 86_400 * 70])
        later = self.now + timedelta(microseconds=self.chance.randrange(seconds * 1_000_000))
        if sub and self.chance.random() < 0.3:
            later = sub.open.end - timedelta(microseconds=self.chance.choice([0, 1]))
        self.move_clock(later)

    def use(self, subject, sub):
        items = []
        for _ in range(self.chance.randint(1, 3)):
            self.next += 1
            meter = self.chance.choice([meter for meter in METERS if meter != SEATS])
            billionths = self.chance.choice([1, self.chance.randrange(10**9), self.chance.randrange(50) * 10**9, 0, 10**24])
            item = {"id": f"i{self.next}", "subject": subject, "meter": meter,
                    "units": f"{billionths // 10**9}.{billionths % 10**9:09}"}
            if METERS[meter] == "count":
                item["units"] = "1"
            if METERS[meter] == "unique":
                item["uniqueKey"] = f"k{self.chance.randrange(6)}"
            if self.chance.random() < 0.4:
                item["occurredAt"] = text_of(self.now - timedelta(hours=self.chance.randrange(-50, 400)))
            items.append(item)
        self.send(subject, items)

    def send(self, subject, items):
        wanted = [self.admit(subject, item) for item in items]
        _, answer = self.call("POST", f"{self.base}/usage", {"items": items}, self.deploy)
        got = [result.get("code", result["status"]) for result in answer["results"]]
        assert got == wanted, (items, got, wanted)

    def admit(self, subject, item):
        sub = self.live(subject)
        moment = at(item["occurredAt"]) if "occurredAt" in item else None
        if sub is None:
            last = next((sub for sub in reversed(self.subs) if sub.subject == subject), None)
            if last is None or last.open.invoice is not None or moment is None or moment >= last.ended:
                return "SUBSCRIPTION_NOT_FOUND"
            sub = last
        if (subject, item["id"]) in self.items and (subject, item["id"]) not in self.refunded:
            return "duplicate"
        charge = {"id": item["id"], "meter": item["meter"], "units": Fraction(item["units"]), "key": item.get("uniqueKey"),
                  "at": moment or self.now}
        # A charge of an earlier attempt stays void: the new one has a name of its own here.
        charge["id"] = self.attempt(subject, item["id"])
        if not sub.admit(charge, self.now):
            return "SPEND_LIMIT_REACHED"
        self.items[(subject, item["id"])] = self.items.pop((subject, charge["id"]))
        self.sent[(subject, item["id"])] = (item, charge["id"])
        self.refunded.discard((subject, item["id"]))
        return "accepted"

    def attempt(self, subject, item):
        self.next += 1
        return f"{item}#{self.next}"

    def again(self, subject, sub):
        known = sorted(key for key in self.sent if key[0] == subject)
        if known:
            self.send(subject, [self.sent[self.chance.choice(known)][0]])

    def credit(self, subject, sub):
        if sub:
            kind, cents, days = self.chance.choice(KINDS), self.chance.randint(1, 400), self.chance.choice([None, 1, 30])
            body = {"subject": subject, "amountCents": cents, "kind": kind}
            scope = self.chance.choice(SCOPES)
            if days:
                body["expiresAfterDays"] = days
            if scope:
                body["meters"] = scope
            _, given = self.call("POST", f"{self.base}/credits", body)
            sub.buckets.append(Bucket(kind, cents * CENT, self.now + timedelta(days=days) if days else None, scope=scope))
            self.given.append((sub, given["bucketId"], sub.buckets[-1]))

    def buy(self, subject, sub):
        if sub:
            body, (cost, credit, days, scope) = {"subject": subject, "topUp": "pack"}, sub.terms["pack"]
            if self.chance.random() < 0.5:
                # The buyer chooses the amount, and pays so many basis points of it on top.
                (points, days, scope), credit = sub.terms["open"], self.chance.randint(1, 400)
                cost = credit + Fraction(credit * points, 10_000)
                body = {"subject": subject, "topUp": "open", "amountCents": credit}
            _, given = self.call("POST", f"{self.base}/credits", body)
            ends, cost = self.now + timedelta(days=days) if days else None, cost * CENT
            assert cost == int(cost)
            sub.buckets.append(Bucket("prepaid", credit * CENT, ends, price=int(cost), scope=scope))
            sub.open.receivable += int(cost)
            self.given.append((sub, given["bucketId"], sub.buckets[-1]))

    def revoke(self, subject, sub):
        given = [(id, bucket) for owner, id, bucket in self.given if owner is sub]
        if sub and given:
            id, bucket = self.chance.choice(given)
            self.call("POST", f"{self.base}/credits/{id}/revoke")
            if bucket.alive() and bucket.listed:
                if bucket.price is not None and bucket.left == bucket.granted:
                    sub.open.receivable -= bucket.price
                bucket.left, bucket.state = 0, "REVOKED"

    def refund(self, subject, sub):
        known = sorted(key for key in self.items if key[0] == subject)
        if not known:
            return
        key = self.chance.choice(known)
        body = {"subject": subject, "kind": "refund", "item": key[1], "reason": "a test"}
        status, answer = self.call("POST", f"{self.base}/adjustments", body, wanted=(201, 409))
        assert (status == 409) == (key in self.refunded), answer
        if status == 201:
            owner, place = self.items[key]
            owner.void(place, self.sent[key][1], self.now)
            self.refunded.add(key)

    def correct(self, subject, sub):
        newest = next((sub for sub in reversed(self.subs) if sub.subject == subject), None)
        if newest:
            nanos = self.chance.choice([-1, 1]) * self.chance.randint(1, 10**9)
            body = {"subject": subject, "kind": "correction", "amountNanos": str(nanos), "reason": "a test"}
            self.call("POST", f"{self.base}/adjustments", body)
            newest.correct(nanos, self.now)

    def cancel(self, subject, sub):
        if sub:
            when, prorate = self.chance.choice(["now", "period_end"]), self.chance.random() < 0.5
            self.call("POST", f"{self.base}/subscriptions/{sub.id}/cancel", {"at": when, "prorate": prorate})
            if when == "now":
                sub.end(self.now, prorate)
            else:
                sub.cancel_at = sub.renewal()

    def resume(self, subject, sub):
        if sub:
            self.call("POST", f"{self.base}/subscriptions/{sub.id}/resume")
            sub.cancel_at = None

    def change(self, subject, sub):
        if sub:
            plan, when = self.chance.choice(PLANS), self.chance.choice(["now", "period_end"])
            proration = self.chance.choice(["none", "prorate", "credit"])
            body = {"plan": plan, "at": when, "proration": proration}
            status, _ = self.call("POST", f"{self.base}/subscriptions/{sub.id}/change", body, wanted=(200, 409))
            assert (status == 409) == (self.plans[plan] is sub.terms)
            if status == 200:
                due = self.now if when == "now" else sub.renewal()
                sub.planned = {"plan": plan, "terms": self.plans[plan], "due": due, "proration": proration, "keeps_fee": False}
                sub.settle(self.now)

    def own_most(self, plan):
        fee = self.plans[plan]["fee"]
        return self.chance.choice([None, None, 0, fee // 2, fee + self.chance.randint(0, 500)])

    def allows(self, plan, most):
        """A subscription's own most is at most its plan's, and not below its least."""
        least, highest = self.plans[plan]["least"], self.plans[plan]["most"]
        return most is None or ((least is None or most >= least) and (highest is None or most <= highest))

    def limit(self, subject, sub):
        if sub:
            most = self.own_most(sub.plan)  # both versions have the same bounds
            body = {"maxMonthlySpendCents": most}
            status, answer = self.call("POST", f"{self.base}/subscriptions/{sub.id}/change", body, wanted=(200, 422))
            assert (status == 200) == self.allows(sub.plan, most), (sub.plan, most, answer)
            if status == 200:
                sub.most = sub.open.most = most
                assert int(answer["spend"]["spentNanos"]) == sub.open.spent() + sub.own(sub.open)

    def close(self, subject, sub):
        self.live(subject)
        _, answer = self.call("POST", f"{self.base}/invoices", {})
        wanted = []
        for sub in sorted(self.subs, key=lambda sub: sub.id):
            for place, period in enumerate(sub.periods):
                if period.invoice is None and period.end <= self.now:
                    wanted.append((sub.id, place, self.close_one(sub, place)))
        got = [(invoice["subscriptionId"], invoice["period"], {
            "fee": invoice["recurringFeeCents"], "usage": invoice["usageCents"], "trueUp": invoice["trueUpCents"],
            "total": invoice["totalCents"], "carried": invoice["carriedCents"], "rounding": int(invoice["roundingNanos"])})
            for invoice in answer["invoices"]]
        whole = lambda sums: {name: int(value) for name, value in sums.items()}
        assert [(sid, place, whole(sums)) for sid, place, sums in got] == wanted, (got, wanted)

    def close_one(self, sub, place):
        document = sub.document(place)
        sub.periods[place].invoice = document
        if place + 1 < len(sub.periods):
            sub.periods[place + 1].receivable += document["carried"] * CENT
        return document

    def compare(self, subject):
        sub = self.live(subject)
        if subject not in self.tokens:
            return
        status, got = self.call("GET", f"/portal/businesses/{self.business}/me/bill-preview", None, self.tokens[subject], (200, 404))
        assert (status == 404) == (sub is None), got
        if sub is None:
            return
        for window in got.get("windows", []):
            del window["windowId"]
            for name in ("windowStart", "windowEnd"):
                window[name] = text_of(at(window[name]))
        for allowance in got["allowances"]:
            allowance.pop("expiresAt"), allowance.pop("display", None)
        assert got == sub.preview(), json.dumps([got, sub.preview()], indent=1)


def main():
    address, business, operator, deploy, seed, steps = sys.argv[1:]
    world = World(address, business, operator, deploy, int(seed))
    for step in range(int(steps)):
        try:
            world.step()
        except AssertionError as error:
            sys.exit(f"seed {seed}, step {step}, at {world.now}: {error}")
    world.close("ada", None)
    print("DONE", json.dumps(world.counts), flush=True)


if __name__ == "__main__":
    main()
