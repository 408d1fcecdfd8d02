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
METERS = {"a": "sum", "c": "count", "l": "last", "m": "max", "s": "time_weighted", "u": "unique"}
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
    def __init__(self, kind, nanos, expires, price=None, of_move=False):
        self.kind, self.granted, self.left, self.used = kind, nanos, nanos, 0
        self.expires, self.price, self.of_move = expires, price, of_move
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
    def __init__(self, start, end, charged_from, pin, plan):
        self.start, self.end, self.planned_end, self.charged_from = start, end, end, charged_from
        self.pin = self.own = self.current = pin  # what was agreed to, what its fee is, and what the rest of it is paid at
        self.plan = plan
        self.windows = []  # (plan, start, end, charges)
        self.receivable = self.fee_postings = self.given = 0
        self.paid, self.owed, self.unbilled = {}, 0, 0
        self.invoice = None
        self.free = False  # no fee is for it: a trial before a fee in advance, or the moment before
        self.billed_before = False  # an earlier document has its fee
        self.due = None  # what its document has of fees, once that is settled
        self.most = None  # the subscription's own most, in cents, as it holds in the period
        self.until = start  # up to when levels have lasted

    def spent(self):
        """What the fee counts towards the least and the most of the period."""
        return 0 if self.free else self.own * CENT + self.fee_postings

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

    def rated(self, prices_of):
        return [floor(self.exact(place, prices_of)) for place in range(len(self.windows))]

    def exact(self, place, prices_of):
        return sum((self.costs(meter, prices_of)[place] for meter in METERS), Fraction(0))

    def costs(self, meter, prices_of):
        """What a meter costs in each window. Windows on the same terms are as one; what other terms charged stays."""
        costs, start = [], 0
        for place, window in enumerate(self.windows):
            form = prices_of(window["plan"]).get(meter)
            if place and form != prices_of(self.windows[place - 1]["plan"]).get(meter):
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

    def newest(self):
        """The level that lasts, and since when."""
        found = None
        for charge in (charge for window in self.windows for charge in window["charges"]):
            if METERS[charge["meter"]] == "time_weighted" and not charge["void"] and (found is None or charge["at"] >= found["at"]):
                found = charge
        return found


class Sub:
    def __init__(self, world, sid, subject, plan, now, had_trial, had_promo, had_intro, number, most):
        self.world, self.id, self.subject, self.plan, self.start = world, sid, subject, plan, now
        terms = world.plans[plan]
        self.trial_end = now + timedelta(days=terms["trial"]) if terms["trial"] and not had_trial else None
        self.gave_promo = had_promo or any(g["kind"] == "promo" and not g["recurs"] for g in terms["grants"])
        self.pin, self.next_pin = terms["fee"], None
        # The first fees, once for a subject: how much, and how many are left.
        self.intro = list(terms["intro"]) if terms["intro"] and not had_intro else None
        self.served_since = now
        self.buckets, self.periods, self.planned = [], [], None
        self.cancel_at = self.ended = None
        self.number, self.most = number, most
        # Where the periods are counted from: with a fee in advance a trial is a period of its own, and so is the moment before.
        self.anchor, self.first = now, 0
        if terms["advance"]:
            self.anchor, self.first = self.trial_end or now, 1
            before = Period(now, self.anchor, self.anchor, self.pin, plan)
            before.free, before.most = True, most
            self.periods.append(before)
        if not terms["advance"] or not self.trial_end:
            self.begin(now)
        self.grant(now, lambda grant: grant["recurs"] or grant["kind"] != "promo" or not had_promo)

    @property
    def open(self):
        return self.periods[-1]

    def begin(self, now):
        for bucket in self.buckets:
            bucket.listed = bucket.left != 0
        if self.periods:
            self.open.due = self.fees_due()
            self.pin, self.next_pin = self.pin if self.next_pin is None else self.next_pin, None
        count = len(self.periods)
        start, end = self.starts(count), self.starts(count + 1)
        charged = min(max(self.trial_end or start, start), end)
        self.periods.append(Period(start, end, charged, self.pin, self.plan))
        period = self.open
        period.most = self.most
        period.billed_before = count > 0 and self.world.plans[self.plan]["advance"]
        span = lambda a, b: (b - a) // timedelta(microseconds=1)
        if charged < end:
            period.own = period.current = self.beginning(self.pin)
            if self.intro:
                self.intro[1] = max(0, self.intro[1] - 1)
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
        own = 0 if period.free or period.billed_before else period.own
        if self.cancel_at and self.cancel_at <= period.end:
            return own
        if self.planned and self.planned["due"] <= period.end:
            new = self.world.plans[self.planned["plan"]]
            return own + (new["fee"] if new["advance"] else 0)
        next_pin = self.pin if self.next_pin is None else self.next_pin
        return own + (self.beginning(next_pin) if self.world.plans[self.plan]["advance"] else 0)

    def grant(self, now, wanted):
        for grant in self.world.plans[self.plan]["grants"]:
            if wanted(grant):
                ends = [self.starts(len(self.periods) + grant["kept"])] if grant["recurs"] else []
                if grant["days"]:
                    ends.append(now + timedelta(days=grant["days"]))
                self.buckets.append(Bucket(grant["kind"], grant["cents"] * CENT, min(ends) if ends else None))

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
                held = self.open.newest()
                self.begin(moment)
                self.grant(moment, lambda grant: grant["recurs"])
                if held and held["units"]:
                    self.window(moment)["charges"].append(dict(held, id=None))

    def hold(self, until, paid_at):
        """Levels last up to a moment; who pays is who could then. Past a bound it is not billed, since time can't be refused."""
        period, before = self.open, self.sum(self.open)
        period.until = max(period.until, min(until, period.end))
        self.change(period, self.sum(period) - before, self.bound(period, self.plan), paid_at)

    def end(self, moment, prorate):
        period = self.open
        period.due = 0 if period.free or period.billed_before else period.own
        if prorate or moment <= period.charged_from:
            # Every part is rounded down, and together they come to no less than nothing.
            rest = period.part(-period.current * CENT, moment, period.planned_end)
            period.fee(rest if period.free else max(rest, -(period.own * CENT + period.fee_postings - period.given)))
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
        period, new = self.open, self.world.plans[planned["plan"]]
        if self.intro:
            self.intro[1] = 0  # it is of the plan that one began on
        opaque = self.world.plans[self.plan]["opaque"] or new["opaque"]
        for window in period.windows:
            window["end"] = min(window["end"], moment)
        self.plan, self.served_since, self.next_pin = planned["plan"], moment, new["fee"]
        if moment >= period.end:
            return
        period.plan = planned["plan"]
        held = period.newest()
        if held and held["units"]:
            self.window(moment)
        if planned["proration"] == "none":
            return
        difference = period.part((new["fee"] - period.current) * CENT, moment, period.planned_end)
        period.current = new["fee"]
        if planned["proration"] == "credit" and difference < 0 and not opaque:
            period.given -= difference
            self.buckets.append(Bucket("promo", -difference, None, of_move=True))
        else:
            period.fee(difference)

    # Who pays.

    def own(self, period):
        return period.owed + sum(paid for place, paid in period.paid.items() if self.buckets[place].kind == "prepaid")

    def order(self, now):
        usable = [place for place, bucket in enumerate(self.buckets)
                  if bucket.alive() and (bucket.expires is None or bucket.expires > now)]
        far = datetime.max.replace(tzinfo=timezone.utc)
        return sorted(usable, key=lambda place: (self.buckets[place].expires or far, KINDS.index(self.buckets[place].kind), place))

    def bound(self, period, plan):
        """What usage may cost the subscriber; the lower one of the plan's most and the own one counts. What a plan refuses stays refused."""
        terms = self.world.plans[plan]
        if terms["block"] and terms["most"] is None:
            return 0
        mosts = [most for most in (terms["most"], period.most) if most is not None]
        return max(0, min(mosts) * CENT - period.spent()) if mosts else None

    def bought(self, period):
        return self.own(period) - period.owed

    def change(self, period, due, bound, now, refuses=False):
        """Moves what usage is worth more or less. Returns what is waived."""
        before = self.bought(period)
        if due >= 0:
            kept = min(max(0, -period.unbilled), due)
            period.unbilled += kept
            due -= kept
            for place in self.order(now):
                bucket = self.buckets[place]
                amount = min(due, bucket.left)
                bucket.left -= amount
                self.pay(period, place, amount)
                due -= amount
            # Bought credit is spending too: past a most that waives, what was owed makes room for it.
            lowest = 0 if refuses else -min(self.bought(period) - before, period.owed)
            owed = due if bound is None else min(due, max(lowest, bound - self.own(period)))
            period.owed += owed
            period.receivable += owed
            period.unbilled += due - owed
            return due - owed
        back = -due
        waived = min(back, max(0, period.unbilled))
        period.unbilled -= waived
        back -= waived
        owed = min(back, period.owed)
        period.owed -= owed
        period.receivable -= owed
        back -= owed
        for place in reversed(self.order(now)):
            amount = min(back, period.paid.get(place, 0))
            if amount:
                self.buckets[place].left += amount
                self.pay(period, place, -amount)
                back -= amount
        period.unbilled -= back
        return 0

    def pay(self, period, place, amount):
        if amount:
            self.buckets[place].used += amount
            period.paid[place] = period.paid.get(place, 0) + amount
        self.buckets[place].note()

    def sum(self, period):
        return sum(period.rated(lambda plan: self.world.plans[plan]["prices"]))

    def window(self, now):
        period = self.open
        for window in reversed(period.windows):
            if window["plan"] == self.plan and (window["end"] > now or window["end"] == period.end):
                return window
        window = {"plan": self.plan, "start": max(period.start, self.served_since), "end": period.end, "charges": []}
        period.windows.append(window)
        return window

    def admit(self, item, now):
        """Whether the plan lets the item in."""
        period = self.open
        window_count, before = len(period.windows), self.sum(period)
        charge = dict(item, at=min(item["at"], now), void=False, admitted=len(self.periods) - 1)
        held = period.newest()
        raises = METERS[charge["meter"]] == "time_weighted" and charge["units"] > (held["units"] if held else 0)
        raises = raises and (held is None or charge["at"] >= held["at"])
        window = self.window(now)
        window["charges"].append(charge)
        state = (dict(period.paid), period.owed, period.unbilled, period.receivable,
                 [(bucket.left, bucket.used, bucket.state, bucket.listed) for bucket in self.buckets])
        refuses = self.world.plans[self.plan]["block"]
        waived = self.change(period, self.sum(period) - before, self.bound(period, self.plan), now, refuses)
        if refuses and not waived and raises:
            # What levels come to by the end of the period must be payable now.
            kept, before = (period.until, dict(period.paid), period.owed, period.unbilled, period.receivable), self.sum(period)
            buckets = [(bucket.left, bucket.used, bucket.state, bucket.listed) for bucket in self.buckets]
            period.until = period.end
            waived = self.change(period, self.sum(period) - before, self.bound(period, self.plan), now, True)
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
        before, receivable = self.sum(period), period.receivable
        for window in period.windows:
            for charge in window["charges"]:
                if charge["id"] == item:
                    charge["void"] = True
        due = self.sum(period) - before
        if due == 0:
            return
        last = period.windows[-1]["plan"]
        self.change(period, due, self.bound(period, last), now)
        if period.invoice is not None:
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
            self.periods.append(Period(now, now, now, 0, self.plan))
            self.open.due = 0

    def finish_note(self):
        if self.ended and self.open.start == self.open.planned_end:
            self.world.close_one(self, len(self.periods) - 1)

    # Documents.

    def true_up(self, period):
        least = period.part((self.world.plans[period.plan]["least"] or 0) * CENT, period.charged_from, period.end)
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
        if self.world.plans[self.plan]["opaque"]:
            answer["disclosure"] = "opaque"
            answer["allowances"] = [{"kind": bucket.kind, "state": bucket.state} for bucket in shown]
            return answer
        rated = period.rated(lambda plan: self.world.plans[plan]["prices"])
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
        """One product for the whole run; its plans differ in everything that money depends on."""
        chance = self.chance

        def form():
            micros, per = chance.choice([0, 1, 2, 7, 1000, 150_000]), chance.choice([1, 1, 3, 7, 1000])
            end = chance.randint(1, 20)
            tiers = [{"upTo": end, "micros": micros, "per": per}, {"upTo": end * 3, "micros": micros // 2, "per": per},
                     {"upTo": None, "micros": micros // 3, "per": 1}]
            return chance.choice([
                {"kind": "linear", "micros": micros, "per": per, "includedUnits": chance.choice([0, 0, 1, 10])},
                {"kind": "graduated", "tiers": tiers}, {"kind": "volume", "tiers": tiers}])

        for plan in PLANS:
            fee = chance.randint(0, 20) * 1000
            self.plans[plan] = {
                "fee": fee, "intro": (chance.randint(0, fee - 1), chance.randint(1, 3)) if fee and chance.random() < 0.4 else None, "advance": chance.random() < 0.5, "prices": {meter: form() for meter in METERS if chance.random() < 0.8},
                "trial": chance.choice([0, 0, 14, 40]), "opaque": chance.random() < 0.2, "block": chance.random() < 0.2,
                "least": chance.choice([None, None, 0, chance.randint(1, 9000)]),
                "most": chance.choice([None, None, fee + chance.randint(0, 500)]),
                "grants": [{"kind": chance.choice(KINDS), "cents": chance.randint(0, 300), "recurs": chance.random() < 0.5,
                            "days": chance.choice([None, None, chance.randint(1, 40)]), "kept": chance.choice([0, 0, 1, 2])} for _ in range(chance.randint(0, 2))],
                "pack": (chance.randint(0, 300), chance.randint(0, 300), chance.choice([None, chance.randint(1, 40)])),
                "points": chance.choice([0, 1, 550, 333, 10_000]),
            }
        # A move leaves some prices as they are.
        for meter, form in self.plans["basic"]["prices"].items():
            if chance.random() < 0.3:
                self.plans["pro"]["prices"][meter] = form
        self.tell("PUBLISH", json.dumps(self.plans))

    def live(self, subject):
        for sub in self.subs:
            sub.settle(self.now)
        return next((sub for sub in reversed(self.subs) if sub.subject == subject and not sub.ended), None)

    def step(self):
        subject = self.chance.choice(["ada", "bea"])
        steps = [("pass", 5), ("use", 12), ("credit", 2), ("buy", 1), ("refund", 3), ("correct", 1), ("cancel", 1), ("resume", 1),
                 ("change", 2), ("close", 1), ("revoke", 1), ("again", 1), ("limit", 2)]
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
                    sub.buckets.append(Bucket("prepaid", bucket.left, bucket.expires))
                    bucket.left, bucket.state = 0, "REVOKED"
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
            meter = self.chance.choice(list(METERS))
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
            if days:
                body["expiresAfterDays"] = days
            _, given = self.call("POST", f"{self.base}/credits", body)
            sub.buckets.append(Bucket(kind, cents * CENT, self.now + timedelta(days=days) if days else None))
            self.given.append((sub, given["bucketId"], sub.buckets[-1]))

    def buy(self, subject, sub):
        if sub:
            body, (cost, credit, days) = {"subject": subject, "topUp": "pack"}, self.plans[sub.plan]["pack"]
            if self.chance.random() < 0.5:
                # The buyer chooses the amount, and pays so many basis points of it on top.
                credit, days = self.chance.randint(1, 400), None
                cost = credit + Fraction(credit * self.plans[sub.plan]["points"], 10_000)
                body = {"subject": subject, "topUp": "open", "amountCents": credit}
            _, given = self.call("POST", f"{self.base}/credits", body)
            ends, cost = self.now + timedelta(days=days) if days else None, cost * CENT
            assert cost == int(cost)
            sub.buckets.append(Bucket("prepaid", credit * CENT, ends, price=int(cost)))
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
                sub.cancel_at = sub.open.end

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
            assert (status == 409) == (plan == sub.plan)
            if status == 200:
                sub.planned = {"plan": plan, "due": self.now if when == "now" else sub.open.end, "proration": proration}
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
            most = self.own_most(sub.plan)
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
