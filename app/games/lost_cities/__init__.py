"""Lost Cities: two players, five or six colours, expeditions that cost before they pay."""
