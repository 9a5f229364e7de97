from engine.rejections import Reason
from server.protocol import Deal, Join, Options, Presence, Proposals, Sheet, Table, Update
from tests.server.phones import Phone, dealer_of, new_token, running, seated, started


async def test_whoever_enters_is_shown_the_room_whole():
    async with running() as keeper:
        await seated(keeper, "Anna")
        watcher = Phone(keeper)

        heard = await watcher.hears()

        assert [type(m) for m in heard] == [Table, Sheet, Presence, Update, Proposals]
        assert watcher.last(Table).table.me is None
        assert watcher.last(Presence) == Presence(players=("here", None, None), watchers=1)
        assert watcher.last(Update) == Update(
            seq=keeper.seq, game=None, glimpses=(), options=Options()
        )


async def test_each_phone_is_shown_its_own_hand_and_the_table_none():
    async with running() as keeper:
        phones = await started(keeper)
        watcher = Phone(keeper)
        await watcher.hears()
        dealer, _ = dealer_of(phones)
        await dealer.asks(Deal())
        for phone in phones:
            if phone is not dealer:
                await phone.hears()
        await watcher.hears()

        hands = [phone.game.hand for phone in phones]
        assert [len(hand) for hand in hands] == [7, 7, 7]
        assert len({card for hand in hands for card in hand}) == 21
        assert watcher.game.hand == ()


async def test_a_deal_goes_out_as_a_glimpse_without_cards():
    async with running() as keeper:
        dealer, _ = dealer_of(await started(keeper))
        await dealer.asks(Deal())

        (seen,) = dealer.last(Update).glimpses
        assert "cards" not in seen.__struct_fields__


async def test_a_full_table_takes_nobody_more():
    async with running() as keeper:
        await started(keeper)

        assert await keeper.admit(Join(name="Dora", token=new_token())) is Reason.TABLE_FULL
